// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Executable.h"

#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Machine.h"
#include "passes/host/jit/Object.h"
#include "passes/host/jit/Options.h"
#include "passes/registerAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::raf;

static llvm::Error wrong(const llvm::Twine &message) { return llvm::createStringError(message); }

std::unique_ptr<MLIRContext> mlir::raf::createContext() {
  static const DialectRegistry &registry = [] {
    static DialectRegistry made;
    registerAllDialects(made);
    registerAllPasses();
    return std::ref(made);
  }();
  return std::make_unique<MLIRContext>(registry);
}

OwningOpRef<ModuleOp> mlir::raf::runPipeline(StringRef source, StringRef pipeline, MLIRContext &context, Diagnostics &diagnostics) {
  CollectDiagnostics collect(&context, diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source, "module"), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module) {
    if (!diagnostics.hasErrors())
      diagnostics.error("the module could not be parsed");
    return nullptr;
  }
  std::string message;
  llvm::raw_string_ostream stream(message);
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline, stream);
  if (failed(passes) || passes->getOpAnchorName() != ModuleOp::getOperationName()) {
    diagnostics.error("pass pipeline '" + pipeline.str() + "': " + (message.empty() ? "must start with builtin.module(" : StringRef(message).trim().str()));
    return nullptr;
  }
  PassManager manager(&context, ModuleOp::getOperationName());
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  if (failed(manager.run(*module))) {
    if (!diagnostics.hasErrors())
      diagnostics.error("a pass of '" + pipeline.str() + "' failed without saying why");
    return nullptr;
  }
  return module;
}

static std::unique_ptr<Executable> guarded(Diagnostics &diagnostics, llvm::function_ref<std::unique_ptr<Executable>()> make) {
  std::unique_ptr<Executable> executable;
  if (llvm::Error error = runGuarded([&] { executable = make(); })) {
    diagnostics.error(std::move(error));
    return nullptr;
  }
  return executable;
}

std::unique_ptr<Executable> Executable::compile(StringRef source, StringRef options, Diagnostics &diagnostics) {
  return guarded(diagnostics, [&] { return compileHere(source, options, diagnostics); });
}

std::unique_ptr<Executable> Executable::compileHere(StringRef source, StringRef optionsText, Diagnostics &diagnostics) {
  llvm::Expected<ExecutableOptions> options = ExecutableOptions::parse(optionsText);
  if (!options) {
    diagnostics.error(options.takeError());
    return nullptr;
  }
  UseThreads threads(options->numThreads);
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module = runPipeline(source, options->pipeline, *context, diagnostics);
  if (!module)
    return nullptr;
  auto manifest = (*module)->getAttrOfType<StringAttr>("raf.manifest");
  if (!manifest) {
    diagnostics.error("the module has no step: after '" + options->pipeline + "' there is no raf.manifest, which raf-lower-host makes from @main");
    return nullptr;
  }
  llvm::Expected<llvm::json::Value> description = llvm::json::parse(manifest.getValue());
  if (!description || !description->getAsObject()) {
    llvm::consumeError(description.takeError());
    diagnostics.error("raf.manifest is not a JSON object");
    return nullptr;
  }
  llvm::json::Object &object = *description->getAsObject();
  object["target"] = llvm::json::Object{{"triple", getHostTriple()}, {"cpu", getHostCPU()}, {"features", llvm::json::Array(getHostFeatures())}};
  object["runtime_abi"] = raf_rt_abi_version();
  object["raf_version"] = RAF_VERSION;
  object["num_threads"] = options->numThreads;

  CollectDiagnostics collect(context.get(), diagnostics);
  llvm::Expected<std::vector<std::string>> code = emitObjects(*module, *options);
  if (!code) {
    diagnostics.error(code.takeError());
    return nullptr;
  }
  std::unique_ptr<Executable> executable(new Executable());
  executable->manifestText = llvm::formatv("{0}", *description).str();
  executable->objects = std::move(*code);
  if (llvm::Error error = executable->load()) {
    diagnostics.error(std::move(error));
    return nullptr;
  }
  return executable;
}

// The format: the magic, the manifest, the number of objects and the objects (texts are behind their lengths), and a checksum of all that. Numbers are of the machine that made the file, and
// the triple in the manifest says which that is.
static constexpr StringLiteral kMagic = "RAFX0002";

static void appendNumber(std::string &text, uint64_t number) { text.append(reinterpret_cast<const char *>(&number), sizeof number); }

static void appendText(std::string &text, const std::string &part) {
  appendNumber(text, part.size());
  text += part;
}

static bool takeNumber(StringRef &bytes, uint64_t &number) {
  if (bytes.size() < sizeof number)
    return false;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes = bytes.drop_front(sizeof number);
  return true;
}

static bool takeText(StringRef &bytes, std::string &text) {
  uint64_t size;
  if (!takeNumber(bytes, size) || bytes.size() < size)
    return false;
  text = bytes.take_front(size).str();
  bytes = bytes.drop_front(size);
  return true;
}

std::string Executable::serialize() const {
  std::string text = kMagic.str();
  appendText(text, manifestText);
  appendNumber(text, objects.size());
  for (const std::string &object : objects)
    appendText(text, object);
  appendNumber(text, llvm::xxh3_64bits(text));
  return text;
}

std::unique_ptr<Executable> Executable::deserialize(StringRef bytes, Diagnostics &diagnostics) {
  return guarded(diagnostics, [&] { return deserializeHere(bytes, diagnostics); });
}

std::unique_ptr<Executable> Executable::deserializeHere(StringRef bytes, Diagnostics &diagnostics) {
  std::unique_ptr<Executable> executable(new Executable());
  StringRef rest = bytes;
  uint64_t checksum = 0, count = 0;
  if (!rest.consume_front(kMagic)) {
    diagnostics.error("not an executable of this version of RAF: expected it to start with " + kMagic.str());
    return nullptr;
  }
  bool whole = takeText(rest, executable->manifestText) && takeNumber(rest, count);
  for (uint64_t i = 0; whole && i < count; ++i)
    whole = takeText(rest, executable->objects.emplace_back());
  if (!whole || !takeNumber(rest, checksum) || !rest.empty() || checksum != llvm::xxh3_64bits(bytes.drop_back(sizeof checksum))) {
    diagnostics.error("the executable is damaged");
    return nullptr;
  }
  if (llvm::Error error = executable->load()) {
    diagnostics.error(std::move(error));
    return nullptr;
  }
  return executable;
}

llvm::Error Executable::describeBuffers(const llvm::json::Object &manifest) {
  auto add = [&](const llvm::json::Value &value, bool written) -> llvm::Error {
    const llvm::json::Object *entry = value.getAsObject();
    const llvm::json::Array *shape = entry ? entry->getArray("shape") : nullptr;
    if (!shape || !entry->getString("name") || !entry->getString("dtype"))
      return wrong("the manifest of the executable is incomplete");
    Buffer buffer;
    buffer.name = entry->getString("name")->str();
    StringRef dtype = *entry->getString("dtype");
    int64_t bits = 8;
    if (dtype == "bf16")
      bits = 16;
    else if (dtype == "index")
      bits = 64;
    else if (dtype.drop_front(dtype.starts_with("ui") ? 2 : 1).getAsInteger(10, bits))
      return wrong("the manifest of the executable has an element type that is not known: " + dtype);
    buffer.alignment = buffer.bytes = std::max<int64_t>(bits / 8, 1);
    for (const llvm::json::Value &dim : *shape)
      buffer.bytes *= dim.getAsInteger().value_or(0);
    buffer.written = written;
    buffers.push_back(buffer);
    return llvm::Error::success();
  };
  const llvm::json::Array *args = manifest.getArray("args"), *results = manifest.getArray("results");
  const llvm::json::Object *memory = manifest.getObject("memory");
  if (!args || !results || !memory)
    return wrong("the manifest of the executable is incomplete");
  for (const llvm::json::Value &value : *args)
    if (llvm::Error error = add(value, false))
      return error;
  for (const llvm::json::Value &value : *results) {
    const llvm::json::Object *entry = value.getAsObject();
    if (auto alias = entry ? entry->getInteger("alias") : std::nullopt; alias && *alias >= 0 && *alias < static_cast<int64_t>(args->size()))
      buffers[*alias].written = true;
    else if (llvm::Error error = add(value, true))
      return error;
  }
  addresses.assign(buffers.size(), nullptr);
  bytesOfArena = memory->getInteger("arena_bytes").value_or(0);
  numThreads = manifest.getInteger("num_threads").value_or(0);
  return llvm::Error::success();
}

llvm::Error Executable::load() {
  llvm::Expected<llvm::json::Value> manifest = llvm::json::parse(manifestText);
  if (!manifest)
    return manifest.takeError();
  const llvm::json::Object *object = manifest->getAsObject();
  const llvm::json::Object *target = object ? object->getObject("target") : nullptr;
  if (!target || !target->getArray("features"))
    return wrong("the manifest of the executable is incomplete");
  if (int64_t abi = object->getInteger("runtime_abi").value_or(0); abi != raf_rt_abi_version())
    return wrong("the executable was made for version " + llvm::Twine(abi) + " of the runtime, and this is version " + llvm::Twine(raf_rt_abi_version()) +
                 "; compile the model again");
  std::vector<std::string> features;
  for (const llvm::json::Value &feature : *target->getArray("features"))
    features.push_back(feature.getAsString().value_or("").str());
  if (std::string reason = whyNotHere(target->getString("triple").value_or(""), features); !reason.empty())
    return wrong("the executable cannot run here: " + reason + "; compile the model again");
  if (llvm::Error error = describeBuffers(*object))
    return error;

  llvm::Expected<std::unique_ptr<LoadedObject>> loaded = LoadedObject::load(objects);
  if (!loaded)
    return loaded.takeError();
  code = std::move(*loaded);
  llvm::Expected<void *> init = code->find("raf_init");
  if (!init)
    return init.takeError();
  llvm::Expected<void *> run = code->find("raf_run");
  if (!run)
    return run.takeError();
  entry = reinterpret_cast<raf_rt_entry>(*run);
  UseThreads threads(numThreads);
  if (raf_rt_context_create(&ctx))
    return wrong(raf_rt_last_error(nullptr));
  if (reinterpret_cast<int64_t (*)(raf_rt_context *)>(*init)(ctx))
    return wrong(llvm::Twine("a library plan could not be made: ") + raf_rt_last_error(ctx));
  if (raf_rt_alloc(ctx, bytesOfArena, &arena))
    return wrong(raf_rt_last_error(ctx));
  return llvm::Error::success();
}

Executable::~Executable() {
  if (arena)
    raf_rt_free(ctx, arena);
  raf_rt_context_destroy(ctx);
}

llvm::Error Executable::bind(int64_t index, uintptr_t address) {
  if (index < 0 || index >= static_cast<int64_t>(buffers.size()))
    return wrong("there is no buffer " + llvm::Twine(index) + " to bind: the executable has " + llvm::Twine(buffers.size()));
  std::lock_guard<std::mutex> lock(mutex);
  Buffer &buffer = buffers[index];
  if (!address || address % buffer.alignment)
    return wrong("buffer " + llvm::Twine(index) + " ('" + buffer.name + "') cannot be at address 0x" + llvm::Twine::utohexstr(address) + ": expected a multiple of " +
                 llvm::Twine(buffer.alignment) + " other than 0");
  addresses[index] = reinterpret_cast<void *>(address);
  if (!buffer.changed)
    changed.push_back(index);
  buffer.changed = true;
  checked = false;
  return llvm::Error::success();
}

// What the step writes must not lie over anything else: the generated code relies on it.
llvm::Error Executable::checkOverlaps() {
  if (auto unbound = llvm::find(addresses, nullptr); unbound != addresses.end()) {
    size_t index = unbound - addresses.begin();
    return wrong("buffer " + llvm::Twine(index) + " ('" + buffers[index].name + "') is not bound");
  }
  for (size_t i : changed)
    for (size_t j = 0; j < buffers.size(); ++j) {
      if (i == j || !(buffers[i].written || buffers[j].written))
        continue;
      auto *a = static_cast<char *>(addresses[i]), *b = static_cast<char *>(addresses[j]);
      if (a < b + buffers[j].bytes && b < a + buffers[i].bytes)
        return wrong("buffers " + llvm::Twine(i) + " ('" + buffers[i].name + "') and " + llvm::Twine(j) + " ('" + buffers[j].name +
                     "') overlap in memory, and the step writes one of them");
    }
  for (size_t i : changed)
    buffers[i].changed = false;
  changed.clear();
  checked = true;
  return llvm::Error::success();
}

llvm::Error Executable::run() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!checked)
    if (llvm::Error error = checkOverlaps())
      return error;
  UseThreads threads(numThreads);
  if (raf_rt_execute(ctx, entry, addresses.data(), arena))
    return wrong(raf_rt_last_error(ctx));
  return llvm::Error::success();
}
