// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-attach-loss --verify-diagnostics
// RUN: raf-opt %s --split-input-file --raf-inference --verify-diagnostics
// RUN: raf-opt %s --split-input-file --raf-verify-model --verify-diagnostics

// expected-error-re @+1 {{{{raf-[a-z-]+}} needs a function @main of one block}}
module {
  func.func private @main()
}

// -----

// expected-error-re @+1 {{{{raf-[a-z-]+}} needs a function @main of one block}}
module {
  func.func @main() {
    cf.br ^next
  ^next:
    return
  }
}

// -----

// expected-error-re @+1 {{{{raf-[a-z-]+}} needs a function @main of one block}}
module {
  llvm.func @main() {
    llvm.return
  }
}
