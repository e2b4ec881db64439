// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/Question.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/dispatch/View.h"
#include "passes/dispatch/dnnl/Epilogue.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

// What both a library and code generation read through, or know as a number.
static bool isPassedThrough(Operation *op) {
  DenseElementsAttr constant;
  return isa<TransposeOp, ReshapeOp, BroadcastOp>(op) || (matchPattern(op, m_Constant(&constant)) && constant.isSplat());
}

// A part of something that is stored: both read it where it lies, with its strides.
static bool isPartOfStored(Operation *op) {
  auto slice = dyn_cast<SliceOp>(op);
  return slice && isStored(trace(slice.getX(), {/*broadcasts=*/false, /*slices=*/true}).base);
}

static SmallVector<Operation *> opsOfQuestion(Operation *root) {
  llvm::SetVector<Operation *> ops;
  ops.insert(root);
  for (const ChainLink &link : findChain(root->getResult(0), /*moves=*/true))
    ops.insert(link.op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && producer->getBlock() == root->getBlock() && (isPassedThrough(producer) || isPartOfStored(producer)))
        ops.insert(producer);
  SmallVector<Operation *> ordered = ops.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

ModuleOp mlir::raf::dispatch::makeQuestion(Operation *root) {
  MLIRContext *context = root->getContext();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  SmallVector<Operation *> ops = opsOfQuestion(root);
  llvm::SmallDenseSet<Operation *> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  SmallVector<Value> results;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp() || !inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (!isPassedThrough(op) && !isa<SliceOp>(op) && llvm::none_of(result.getUsers(), [&](Operation *user) { return inside.contains(user); }))
        results.push_back(result);
  }
  // A view at the end of the chain.
  if (results.empty())
    results.push_back(ops.back()->getResult(0));
  ModuleOp question = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(question.getBody());
  auto type = builder.getFunctionType(TypeRange(ValueRange(inputs.getArrayRef())), TypeRange(ValueRange(results)));
  auto main = func::FuncOp::create(builder, loc, "main", type);
  Block *block = main.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    mapping.map(input, block->getArgument(index));
    main.setArgAttr(index, "raf.role", builder.getStringAttr("input"));
    main.setArgAttr(index, "raf.name", builder.getStringAttr("x" + std::to_string(index)));
  }
  for (Operation *op : ops) {
    Operation *copy = builder.clone(*op, mapping);
    copy->setLoc(loc);
    copy->setDiscardableAttrs(DictionaryAttr::get(context));
  }
  SmallVector<Value> returned;
  for (auto [index, result] : llvm::enumerate(results)) {
    returned.push_back(mapping.lookup(result));
    main.setResultAttr(index, "raf.name", builder.getStringAttr("y" + std::to_string(index)));
  }
  func::ReturnOp::create(builder, loc, returned);
  std::string text;
  llvm::raw_string_ostream stream(text);
  main->print(stream);
  question.setSymName("q" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16));
  return question;
}

llvm::Expected<Measurements> mlir::raf::dispatch::readMeasurements(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError("'" + path + "' is not JSON: " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Object *seconds = object && object->getInteger("version") == 1 ? object->getObject("seconds") : nullptr;
  if (!seconds)
    return llvm::createStringError("'" + path + "' has no measurements: expected {\"version\": 1, \"seconds\": {..}}");
  Measurements measurements;
  for (const auto &[key, entry] : *seconds) {
    const llvm::json::Object *candidates = entry.getAsObject();
    if (!candidates)
      return llvm::createStringError("'" + path + "': seconds of '" + key.str() + "' must be an object");
    auto &times = measurements[key];
    for (const auto &[name, time] : *candidates) {
      if (time.getAsNull())
        continue;
      std::optional<double> number = time.getAsNumber();
      if (!number || !(*number > 0))
        return llvm::createStringError("'" + path + "': the time of '" + name.str() + "' for '" + key.str() + "' must be a positive number or null");
      times[name] = *number;
    }
  }
  return measurements;
}
