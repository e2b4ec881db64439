// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/frontend/Passes.h"
#include "passes/frontend/Signature.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::raf {
#define GEN_PASS_DEF_VERIFYMODELPASS
#include "passes/frontend/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct VerifyModelPass : raf::impl::VerifyModelPassBase<VerifyModelPass> {
  using VerifyModelPassBase::VerifyModelPassBase;
  void runOnOperation() override;

private:
  void verifyArguments(func::FuncOp func);
  void verifyResults(func::FuncOp func);
  void verifyName(Location loc, StringRef name, const Twine &what, llvm::StringSet<> &seen);
  void verifyType(Location loc, Type type, const Twine &what);
  InFlightDiagnostic report(Location loc) {
    signalPassFailure();
    return emitError(loc);
  }
};
} // namespace

void VerifyModelPass::verifyName(Location loc, StringRef name, const Twine &what, llvm::StringSet<> &seen) {
  if (name.empty())
    report(loc) << what << " has no raf.name";
  else if (!seen.insert(name).second)
    report(loc) << what << " has the name '" << name << "' of another";
}

void VerifyModelPass::verifyType(Location loc, Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    report(loc) << what << " must be a tensor of static shape, got " << type;
}

void VerifyModelPass::verifyArguments(func::FuncOp func) {
  static const StringRef roles[] = {"input", "target", "param", "buffer", "seed", "step"};
  llvm::StringSet<> names, counters;
  auto counterType = RankedTensorType::get({}, IntegerType::get(&getContext(), 64));
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    Location loc = argument.getLoc();
    StringRef role = argumentRole(func, index), name = argumentName(func, index);
    std::string what = ("argument " + Twine(index) + (name.empty() ? Twine() : " ('" + name + "')")).str();
    verifyName(loc, name, what, names);
    verifyType(loc, argument.getType(), what);
    if (!llvm::is_contained(roles, role))
      report(loc) << what << " must have a raf.role of input, target, param, buffer, seed or step, got " << (role.empty() ? "none" : role);
    if (func.getArgAttr(index, "raf.frozen") && role != "param")
      report(loc) << what << " is frozen but no param";
    if (role != "seed" && role != "step")
      continue;
    if (argument.getType() != counterType)
      report(loc) << what << " of role " << role << " must be " << counterType << ", got " << argument.getType();
    if (!counters.insert(role).second)
      report(loc) << what << " is a second " << role;
  }
}

void VerifyModelPass::verifyResults(func::FuncOp func) {
  llvm::StringSet<> names;
  llvm::SmallDenseSet<int64_t> aliased;
  unsigned outputs = 0;
  bool updatesBegan = false;
  for (auto [index, result] : llvm::enumerate(getModelResults(func))) {
    Location loc = func.getLoc();
    StringRef name = result.getName();
    std::string what = ("result " + Twine(index) + (name.empty() ? Twine() : " ('" + name + "')")).str();
    verifyName(loc, name, what, names);
    verifyType(loc, result.value.getType(), what);
    Attribute attribute = result.attributes.get("raf.alias");
    auto alias = dyn_cast_or_null<IntegerAttr>(attribute);
    int64_t argument = alias ? alias.getInt() : -1;
    StringRef role = argument >= 0 && argument < static_cast<int64_t>(func.getNumArguments()) ? argumentRole(func, argument) : "";
    if (!attribute && updatesBegan)
      report(loc) << what << " is an output and must come before the updated buffers";
    if (!attribute || role == "input")
      ++outputs;
    if (!attribute)
      continue;
    updatesBegan |= role == "buffer";
    if (role != "buffer" && role != "input")
      report(loc) << what << ": raf.alias must be the index of a buffer or of a donated input, got " << attribute;
    else if (func.getArgumentTypes()[argument] != result.value.getType())
      report(loc) << what << " must have the type of the " << role << " that it overwrites, expected " << func.getArgumentTypes()[argument] << ", got " << result.value.getType();
    if (!aliased.insert(argument).second)
      report(loc) << what << " overwrites an argument that another result overwrites";
  }
  if (outputs == 0)
    report(func.getLoc()) << "@main has no output";
}

void VerifyModelPass::runOnOperation() {
  func::FuncOp func = findMain(getOperation(), "raf-verify-model");
  if (!func)
    return signalPassFailure();
  verifyArguments(func);
  verifyResults(func);
  markAllAnalysesPreserved();
}
