// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Loader.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/MemoryMapper.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::raf;
using namespace llvm::orc;

struct LoadedObject::Impl {
  Impl(std::unique_ptr<ExecutorProcessControl> control, std::unique_ptr<llvm::jitlink::JITLinkMemoryManager> memory)
      : session(std::move(control)), layer(session, std::move(memory)), library(session.createBareJITDylib("raf")) {
    session.setErrorReporter([this](llvm::Error error) { messages += (messages.empty() ? "" : "; ") + llvm::toString(std::move(error)); });
  }

  ~Impl() { llvm::consumeError(session.endSession()); }

  /// Both what the lookup says and what the linker reported on the way, which names the cause.
  llvm::Error explain(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    return llvm::createStringError("the generated code cannot be loaded: " + (messages.empty() ? text : messages));
  }

  std::string messages;
  ExecutionSession session;
  ObjectLinkingLayer layer;
  JITDylib &library;
};

LoadedObject::LoadedObject() = default;
LoadedObject::~LoadedObject() = default;

llvm::Expected<std::unique_ptr<LoadedObject>> LoadedObject::load(llvm::ArrayRef<std::string> objects) {
  auto control = SelfExecutorProcessControl::Create();
  if (!control)
    return control.takeError();
  // The parts of a program call each other by 32-bit offsets, so they must lie in one range of addresses: it is reserved at once, and only what is used takes memory.
  size_t bytes = 0;
  for (const std::string &object : objects)
    bytes += object.size();
  constexpr size_t kUnit = size_t(64) << 20;
  auto memory = MapperJITLinkMemoryManager::CreateWithMapper<InProcessMemoryMapper>((4 * bytes / kUnit + 1) * kUnit);
  if (!memory)
    return memory.takeError();
  std::unique_ptr<LoadedObject> loaded(new LoadedObject());
  loaded->impl = std::make_unique<Impl>(std::move(*control), std::move(*memory));
  Impl &impl = *loaded->impl;
  SymbolMap symbols;
  for (const auto &symbol : getKnownSymbols())
    symbols[impl.session.intern(symbol.first())] = {ExecutorAddr::fromPtr(symbol.second), llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = impl.library.define(absoluteSymbols(std::move(symbols))))
    return impl.explain(std::move(error));
  for (auto [index, object] : llvm::enumerate(objects))
    if (llvm::Error error = impl.layer.add(impl.library, llvm::MemoryBuffer::getMemBufferCopy(object, "raf" + std::to_string(index))))
      return impl.explain(std::move(error));
  return loaded;
}

llvm::Expected<void *> LoadedObject::find(llvm::StringRef symbol) {
  auto found = impl->session.lookup({&impl->library}, impl->session.intern(symbol));
  if (!found)
    return impl->explain(found.takeError());
  return found->getAddress().toPtr<void *>();
}
