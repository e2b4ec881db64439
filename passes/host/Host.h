// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of raf-lower-host.

#ifndef PASSES_HOST_HOST_H
#define PASSES_HOST_HOST_H

#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::raf {

/// The memory that a buffer of the step lies in: an argument, a constant, or a place in the arena. Buffers with different homes do not overlap while both are alive.
struct Home {
  const void *owner = nullptr;
  int64_t offset = 0;

  bool operator==(const Home &other) const { return owner == other.owner && offset == other.offset; }
};

Home getHome(Value memref);

/// Gives the kernels bare pointers in place of memrefs. Fails with a message if a kernel is not ready.
LogicalResult lowerKernelSignatures(ModuleOp module, ArrayRef<func::FuncOp> hostFunctions);

/// Something that the step runs: a kernel, a library call, a copy, or with the profile's hooks a call of regions.
struct HostOp {
  std::string name;
  Operation *op;
};

/// The nodes of the model that a location names, each with what is done for it: "" (forward), or the tag of the fused location around it ("grad", "update").
SmallVector<std::pair<StringRef, StringRef>> getNodes(Location loc);

/// The same for people; of many nodes the first.
std::string describeNodes(Location loc);

/// For each op its name and the nodes that it is for, each text ended by a zero: what the runtime's errors name.
std::string getOpTexts(ArrayRef<HostOp> ops);

/// The text of raf.manifest. The step, @main, is the last of the functions; `ops` are what they run, in order.
std::string describeStep(ModuleOp module, ArrayRef<func::FuncOp> hostFunctions, ArrayRef<HostOp> ops, int64_t numPlans, bool profile, StringRef device);

/// What a profile needs to know of the ops and their buffers: the value of `profile` in the manifest.
void describeOps(llvm::json::OStream &json, ArrayRef<func::FuncOp> hostFunctions, ArrayRef<HostOp> ops);

} // namespace mlir::raf

#endif // PASSES_HOST_HOST_H
