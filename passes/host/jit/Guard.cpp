// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Guard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <mutex>
#include <string>

using llvm::CrashRecoveryContext;

namespace {

thread_local std::string fatalMessage;

void onFatalError(void *, const char *reason, bool) {
  if (CrashRecoveryContext *current = CrashRecoveryContext::GetCurrent()) {
    fatalMessage = reason;
    current->HandleExit(1);
  }
}

/// The handlers of signals are the process's, so they are ours only while something is compiled.
class Handlers {
public:
  Handlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++)
      return;
    llvm::install_fatal_error_handler(onFatalError);
    CrashRecoveryContext::Enable();
  }
  ~Handlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users)
      return;
    CrashRecoveryContext::Disable();
    llvm::remove_fatal_error_handler();
  }

private:
  static inline std::mutex mutex;
  static inline int users = 0;
};

} // namespace

llvm::Error mlir::raf::runGuarded(llvm::function_ref<void()> function) {
  Handlers handlers;
  CrashRecoveryContext recovery;
  fatalMessage.clear();
  if (recovery.RunSafely(function))
    return llvm::Error::success();
  if (!fatalMessage.empty())
    return llvm::createStringError("LLVM cannot compile this module: " + fatalMessage);
  constexpr int kSignal = 128;
  const char *signal = recovery.RetCode > kSignal ? strsignal(recovery.RetCode - kSignal) : "an exit";
  return llvm::createStringError(std::string("the compiler failed (") + signal + "), which is an error in RAF or LLVM: please report it with the module");
}
