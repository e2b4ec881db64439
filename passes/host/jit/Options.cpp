// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Options.h"

#include "llvm/Support/JSON.h"

using namespace mlir::raf;
namespace json = llvm::json;

static llvm::Error wrong(const llvm::Twine &message) { return llvm::createStringError("options: " + message); }

/// The text of a value in a pass pipeline; false for what has none.
static bool appendValue(std::string &text, const json::Value &value) {
  if (auto flag = value.getAsBoolean())
    text += *flag ? "true" : "false";
  else if (auto number = value.getAsInteger())
    text += std::to_string(*number);
  else if (auto number = value.getAsNumber())
    text += llvm::formatv("{0}", *number).str();
  else if (auto string = value.getAsString())
    text += *string;
  else if (const llvm::json::Array *list = value.getAsArray()) {
    for (const json::Value &element : *list) {
      if (&element != &list->front())
        text += ',';
      if (element.getAsArray() || !appendValue(text, element))
        return false;
    }
  } else
    return false;
  return true;
}

llvm::Expected<ExecutableOptions> ExecutableOptions::parse(llvm::StringRef json) {
  llvm::Expected<json::Value> value = llvm::json::parse(json);
  if (!value)
    return wrong("not a JSON object: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return wrong("expected a JSON object, got " + json.take_front(40));
  ExecutableOptions options;
  struct Field {
    llvm::StringRef name;
    int64_t *target;
    int64_t least, most;
  };
  Field fields[] = {{"opt_level", &options.optLevel, 0, 2}, {"vector_width", &options.vectorWidth, 0, 4096}, {"num_threads", &options.numThreads, 0, 4096}};
  std::string passed, name = "raf-cpu";
  // In the order of the names: a JSON object has none, and the pipeline's text should not depend on chance.
  llvm::SmallVector<llvm::StringRef> keys;
  for (const auto &entry : *object)
    keys.push_back(entry.first);
  llvm::sort(keys);
  for (llvm::StringRef key : keys) {
    const json::Value &entry = *object->get(key);
    if (key == "pipeline") {
      auto text = entry.getAsString();
      if (!text || text->empty())
        return wrong("pipeline must be a name or a pass pipeline");
      name = text->str();
      continue;
    }
    auto *field = llvm::find_if(fields, [&](const Field &field) { return field.name == key; });
    if (field != std::end(fields)) {
      auto number = entry.getAsInteger();
      if (!number || *number < field->least || *number > field->most)
        return wrong(key + " must be an integer from " + llvm::Twine(field->least) + " to " + llvm::Twine(field->most));
      *field->target = *number;
      if (key != "opt_level")
        continue;
    }
    if (entry.getAsNull() || (entry.getAsArray() && entry.getAsArray()->empty()))
      continue; // as if it were not there
    std::string option = key.str();
    std::replace(option.begin(), option.end(), '_', '-');
    passed += (passed.empty() ? "" : " ") + option + "=";
    if (!appendValue(passed, entry))
      return wrong(key + " must be a number, a string, a bool or a list of these");
  }
  bool isText = llvm::StringRef(name).contains('(');
  options.pipeline = isText ? name : "builtin.module(" + name + "{" + passed + "})";
  return options;
}
