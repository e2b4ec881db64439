// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;

namespace {

using Node = std::pair<StringRef, StringRef>; // name, phase

void collectNodes(Location loc, StringRef phase, llvm::SetVector<Node> &nodes) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    nodes.insert({name.getName(), phase});
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    auto tag = dyn_cast_or_null<StringAttr>(fused.getMetadata());
    for (Location part : fused.getLocations())
      collectNodes(part, tag && phase.empty() ? tag.getValue() : phase, nodes);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectNodes(call.getCallee(), phase, nodes);
  }
}

std::string textOf(ShapedType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t dim : type.getShape())
    stream << dim << 'x';
  stream << type.getElementType();
  return text;
}

/// Numbers the buffers of the host functions: arguments, constants and places in an arena.
class Buffers {
public:
  int64_t numberOf(Value memref) {
    while (auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>())
      memref = cast.getSource();
    return numbers.try_emplace(memref, numbers.size()).first->second;
  }

  void describe(llvm::json::OStream &json) const {
    for (auto [memref, number] : numbers)
      json.object([&, memref = memref] { describe(json, memref); });
  }

private:
  static func::FuncOp functionOf(Value memref) {
    if (auto argument = dyn_cast<BlockArgument>(memref))
      return cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return memref.getDefiningOp()->getParentOfType<func::FuncOp>();
  }

  static void describe(llvm::json::OStream &json, Value memref) {
    auto type = cast<MemRefType>(memref.getType());
    func::FuncOp func = functionOf(memref);
    json.attribute("function", func.getName());
    json.attribute("type", textOf(type));
    json.attribute("bytes", getBytes(type));
    StringRef role = "arena", name;
    if (auto argument = dyn_cast<BlockArgument>(memref)) {
      auto text = [&](StringRef key) {
        auto value = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), key);
        return value ? value.getValue() : StringRef();
      };
      name = text("raf.name");
      role = text("raf.role");
      if (func.getArgAttr(argument.getArgNumber(), "raf.result"))
        role = "result";
      if (role.empty())
        role = "argument";
    } else if (auto global = memref.getDefiningOp<memref::GetGlobalOp>()) {
      role = "constant";
      name = global.getName();
    } else if (auto view = memref.getDefiningOp<memref::ViewOp>()) {
      APInt offset;
      if (matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
        json.attribute("offset", offset.getSExtValue());
    }
    json.attribute("role", role);
    json.attribute("name", name);
  }

  llvm::MapVector<Value, int64_t> numbers;
};

class OpDescriber {
public:
  explicit OpDescriber(llvm::json::OStream &json) : json(json) {}

  Buffers buffers;

  void describe(Operation *op) {
    json.attribute("function", op->getParentOfType<func::FuncOp>().getName());
    json.attribute("kind", isa<LaunchOp, gpu::LaunchFuncOp>(op) ? "kernel" : isa<PlanOpInterface>(op) ? "library" : isa<RegionCallOpInterface>(op) ? "regions" : "copy");
    json.attributeArray("nodes", [&] {
      for (auto [name, phase] : getNodes(op->getLoc()))
        json.array([&, name = name, phase = phase] {
          json.value(name);
          json.value(phase);
        });
    });
    auto number = [&](StringRef name) {
      auto value = op->getAttrOfType<IntegerAttr>(name);
      return value ? value.getInt() : 0;
    };
    accesses(op);
    json.attribute("flops", number("raf.flops"));
    json.attribute("bytes", op->hasAttr("raf.bytes") ? number("raf.bytes") : isa<memref::CopyOp, gpu::LaunchFuncOp>(op) ? bytesTouched() : 0);
    json.attributeArray("operands", [&] {
      for (Value operand : operands)
        json.value(textOf(cast<MemRefType>(operand.getType())));
    });
    list("reads", reads);
    list("writes", writes);
    list("workspace", workspace);
    if (auto call = dyn_cast<RegionCallOpInterface>(op))
      json.attributeArray("regions", [&] {
        for (FlatSymbolRefAttr name : call.getRegionFunctions())
          json.value(name.getValue());
      });
  }

private:
  void accesses(Operation *op) {
    operands.clear();
    for (auto *values : {&reads, &writes, &workspace})
      values->clear();
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      operands = {copy.getSource(), copy.getTarget()};
      reads = {copy.getSource()};
      writes = {copy.getTarget()};
      return;
    }
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      for (Value operand : launch.getKernelOperands())
        if (isa<MemRefType>(operand.getType()))
          operands.push_back(operand);
      // By what the kernel's body does; a stage of several does not use all of the buffers.
      for (const ByteAccess &access : kernels.of(op)) {
        if (access.reads)
          reads.push_back(access.value);
        if (access.writes)
          writes.push_back(access.value);
      }
      return;
    }
    auto destinations = cast<DestinationStyleOpInterface>(op);
    auto plan = dyn_cast<PlanOpInterface>(op);
    auto call = dyn_cast<RegionCallOpInterface>(op);
    auto isWorkspace = [&](Value value) {
      if (call)
        return llvm::is_contained(OperandRange(call.getWorkspaceMutable()), value);
      SmallVector<Value> all = plan ? plan.getPlanBuffers() : SmallVector<Value>();
      return !all.empty() && all.back() == value;
    };
    auto readInits = op->getAttrOfType<DenseI64ArrayAttr>("raf.read_inits");
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!isa<MemRefType>(value.getType()))
        continue;
      if (isWorkspace(value)) {
        workspace.push_back(value);
        continue;
      }
      operands.push_back(value);
      if (!destinations.isDpsInit(&operand)) {
        reads.push_back(value);
        continue;
      }
      int64_t init = operand.getOperandNumber() - destinations.getDpsInitsMutable()[0].getOperandNumber();
      bool isRead = plan ? plan.readsInit(init) : readInits ? llvm::is_contained(readInits.asArrayRef(), init) : !isa<CaseOp>(op);
      if (isRead)
        reads.push_back(value);
      writes.push_back(value);
    }
  }

  /// Each buffer as a whole once for reading and once for writing.
  int64_t bytesTouched() const {
    int64_t bytes = 0;
    for (const auto *values : {&reads, &writes})
      for (Value value : *values)
        bytes += getBytes(cast<MemRefType>(value.getType()));
    return bytes;
  }

  void list(StringRef name, ArrayRef<Value> values) {
    if (values.empty())
      return;
    json.attributeArray(name, [&] {
      for (Value value : values)
        json.value(buffers.numberOf(value));
    });
  }

  llvm::json::OStream &json;
  Accesses kernels;
  SmallVector<Value> operands, reads, writes, workspace;
};

} // namespace

SmallVector<std::pair<StringRef, StringRef>> mlir::raf::getNodes(Location loc) {
  llvm::SetVector<Node> nodes;
  collectNodes(loc, "", nodes);
  return nodes.takeVector();
}

std::string mlir::raf::describeNodes(Location loc) {
  constexpr size_t kMost = 6;
  SmallVector<Node> nodes = getNodes(loc);
  std::string text;
  for (auto [name, phase] : ArrayRef<Node>(nodes).take_front(kMost)) {
    text += (text.empty() ? "" : ", ") + name.str();
    if (!phase.empty())
      text += " (" + (phase == "grad" ? "backward" : phase.str()) + ")";
  }
  return nodes.size() > kMost ? text + " and " + std::to_string(nodes.size() - kMost) + " more" : text;
}

std::string mlir::raf::getOpTexts(ArrayRef<HostOp> ops) {
  std::string texts;
  for (const HostOp &op : ops)
    texts += op.name + '\0' + describeNodes(op.op->getLoc()) + '\0';
  return texts;
}

void mlir::raf::describeOps(llvm::json::OStream &json, ArrayRef<func::FuncOp> hostFunctions, ArrayRef<HostOp> ops) {
  OpDescriber describer(json);
  // Arguments that no op touches take memory too.
  for (BlockArgument argument : func::FuncOp(hostFunctions.back()).getArguments())
    if (!func::FuncOp(hostFunctions.back()).getArgAttr(argument.getArgNumber(), "raf.arena"))
      describer.buffers.numberOf(argument);
  json.attributeArray("ops", [&] {
    for (const HostOp &op : ops)
      json.object([&] {
        json.attribute("name", op.name);
        describer.describe(op.op);
      });
  });
  json.attributeArray("buffers", [&] { describer.buffers.describe(json); });
}
