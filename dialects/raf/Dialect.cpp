// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Collective.h"
#include "dialects/raf/Family.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;

#include "dialects/raf/Dialect.cpp.inc"
#include "dialects/raf/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/raf/Attrs.cpp.inc"

namespace {
// Functions of a model may be inlined: no op depends on the function around it.
struct RAFInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

// Each family adds its ops in its own file, so that an edit rebuilds one family.
void RAFDialect::initialize() {
  addInterfaces<RAFInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/raf/Attrs.cpp.inc"
      >();
#define RAF_FAMILY(name) add##name##Ops(*this);
#include "dialects/raf/Families.def"
}

Operation *RAFDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

LogicalResult RAFDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != kNumDevicesAttribute)
    return success();
  auto count = dyn_cast<IntegerAttr>(attribute.getValue());
  if (isa<ModuleOp>(op) && count && count.getType().isSignlessInteger(64) && count.getInt() > 0)
    return success();
  return op->emitOpError() << kNumDevicesAttribute << " must be a positive i64 of a module, got " << attribute.getValue();
}

LogicalResult RAFDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "raf.name")
    return isa<StringAttr>(attribute.getValue()) ? success() : op->emitOpError() << "argument " << argIndex << ": raf.name must be a string";
  if (name != "raf.role")
    return success();
  static const llvm::StringSet<> roles = {"input", "target", "param", "buffer", "state", "copy", "lr", "step", "seed"};
  auto role = dyn_cast<StringAttr>(attribute.getValue());
  if (role && roles.contains(role.getValue()))
    return success();
  return op->emitOpError() << "argument " << argIndex << ": raf.role must be one of input, target, param, buffer, state, copy, lr, step, seed, got "
                           << attribute.getValue();
}
