// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::raf;

static void describeNumbers(llvm::json::OStream &json, StringRef key, ArrayRef<int64_t> numbers) {
  json.attributeArray(key, [&] {
    for (int64_t number : numbers)
      json.value(number);
  });
}

// `seen` is the element type of the model where it is stored as another one (i1 as i8), `stored` says how elements of another shape lie (raf-store-layouts).
static void describeType(llvm::json::OStream &json, ShapedType type, Attribute seen = {}, DictionaryAttr stored = {}) {
  std::string element;
  auto seenType = dyn_cast_or_null<TypeAttr>(seen);
  llvm::raw_string_ostream(element) << (seenType ? seenType.getValue() : type.getElementType());
  json.attribute("dtype", element);
  auto numbers = [&](StringRef key) { return stored.getAs<DenseI64ArrayAttr>(key).asArrayRef(); };
  describeNumbers(json, "shape", stored ? numbers("shape") : type.getShape());
  if (stored)
    json.attributeObject("stored", [&] {
      for (StringRef key : {"split", "order", "strides", "blocks", "of"})
        describeNumbers(json, key, numbers(key));
    });
}

static void describeName(llvm::json::OStream &json, StringRef key, Attribute value) {
  if (auto text = dyn_cast_or_null<StringAttr>(value))
    json.attribute(key, text.getValue());
  else
    json.attribute(key, "");
}

std::string mlir::raf::describeStep(ModuleOp module, ArrayRef<func::FuncOp> hostFunctions, ArrayRef<HostOp> ops, int64_t numPlans, bool profile, StringRef device) {
  func::FuncOp step = hostFunctions.back();
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    json.attributeArray("args", [&] {
      for (unsigned i = 0; i < step.getNumArguments(); ++i) {
        if (step.getArgAttr(i, "raf.result") || step.getArgAttr(i, "raf.arena"))
          continue;
        json.object([&] {
          describeName(json, "name", step.getArgAttr(i, "raf.name"));
          describeName(json, "role", step.getArgAttr(i, "raf.role"));
          describeType(json, cast<ShapedType>(step.getArgument(i).getType()), step.getArgAttr(i, "raf.element"), step.getArgAttrOfType<DictionaryAttr>(i, "raf.stored"));
        });
      }
    });
    json.attributeArray("results", [&] {
      if (auto results = step->getAttrOfType<ArrayAttr>("raf.results"))
        for (auto result : results.getAsRange<DictionaryAttr>())
          json.object([&] {
            describeName(json, "name", result.get("name"));
            describeType(json, cast<ShapedType>(cast<TypeAttr>(result.get("type")).getValue()), result.get("element"));
            if (auto alias = result.getAs<IntegerAttr>("alias"))
              json.attribute("alias", alias.getInt());
            else
              json.attribute("alias", nullptr);
          });
    });
    json.attributeObject("memory", [&] {
      if (auto memory = module->getAttrOfType<DictionaryAttr>("raf.memory"))
        for (NamedAttribute entry : memory)
          if (auto value = dyn_cast<IntegerAttr>(entry.getValue()))
            json.attribute(entry.getName().strref(), value.getInt());
    });
    llvm::SetVector<StringRef> kernels;
    int64_t libraryCalls = 0;
    for (func::FuncOp func : hostFunctions)
      for (Operation &op : func.getBody().front())
        if (auto launch = dyn_cast<LaunchOp>(&op))
          kernels.insert(launch.getCallee());
        else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(&op))
          kernels.insert(launch.getKernelName().getValue());
    json.attributeArray("ops", [&] {
      for (const HostOp &op : ops) {
        json.value(op.name);
        libraryCalls += isa<PlanOpInterface>(op.op);
      }
    });
    json.attributeArray("kernels", [&] {
      for (StringRef kernel : kernels)
        json.value(kernel);
    });
    if (!device.empty())
      json.attribute("device", device);
    json.attribute("library_calls", libraryCalls);
    json.attribute("library_plans", numPlans);
    if (profile)
      json.attributeObject("profile", [&] { describeOps(json, hostFunctions, ops); });
  });
  return text;
}
