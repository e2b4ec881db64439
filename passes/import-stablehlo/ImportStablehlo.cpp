// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Passes.h"

#include "dialects/raf/Collective.h"
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "passes/import-stablehlo/Importer.h"
#include "passes/import-stablehlo/Prepare.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::raf {
#define GEN_PASS_DEF_IMPORTSTABLEHLOPASS
#include "passes/import-stablehlo/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
struct ImportStablehloPass : raf::impl::ImportStablehloPassBase<ImportStablehloPass> {
  using ImportStablehloPassBase::ImportStablehloPassBase;
  void runOnOperation() override;
};

// Names of arguments or results, each made different from those before.
class Names {
public:
  std::string unique(StringRef wanted) {
    std::string name = wanted.str();
    while (!taken.insert(name).second)
      name += "_";
    return name;
  }

private:
  llvm::StringSet<> taken;
};
} // namespace

static HandlerTable makeTable() {
  HandlerTable table;
#define RAF_STABLEHLO_FAMILY(name) add##name##Handlers(table);
#include "passes/import-stablehlo/Families.def"
  return table;
}

// The type at the boundary: a complex tensor has its real and imaginary parts in a last dimension of size 2.
static RankedTensorType boundaryType(Importer &importer, Type source) {
  RankedTensorType stored = importer.storedType(source);
  if (!isComplex(source))
    return stored;
  SmallVector<int64_t> shape(stored.getShape());
  shape.push_back(2);
  return RankedTensorType::get(shape, stored.getElementType());
}

static void appendTypeAttributes(Builder &builder, Type source, SmallVectorImpl<NamedAttribute> &attributes) {
  if (isUnsigned(source))
    attributes.push_back(builder.getNamedAttr("raf.element", TypeAttr::get(getElementTypeOrSelf(source))));
  if (isComplex(source))
    attributes.push_back(builder.getNamedAttr("raf.complex", builder.getUnitAttr()));
}

// On one device shardings say nothing.
static void appendSharding(const Importer &importer, DictionaryAttr given, SmallVectorImpl<NamedAttribute> &attributes) {
  if (!given || importer.getDevices().count() == 1)
    return;
  Builder builder(given.getContext());
  if (auto sharding = Sharding::read(given.get("sdy.sharding")))
    attributes.push_back(builder.getNamedAttr(kShardingAttribute, sharding->toAttribute(given.getContext())));
  else if (auto text = given.getAs<StringAttr>("mhlo.sharding"))
    attributes.push_back(builder.getNamedAttr(kShardingAttribute, text));
}

static StringRef nameOf(DictionaryAttr attributes, ArrayRef<StringRef> keys) {
  for (StringRef key : keys)
    if (auto text = attributes ? attributes.getAs<StringAttr>(key) : StringAttr(); text && !text.getValue().empty())
      return text.getValue();
  return {};
}

static DictionaryAttr argumentAttributes(const Importer &importer, func::FuncOp source, unsigned index, Names &names) {
  Builder builder(source.getContext());
  BlockArgument argument = source.getArgument(index);
  DictionaryAttr given = source.getArgAttrDict(index);
  std::string name = nameOf(given, {"raf.name"}).str();
  if (auto loc = dyn_cast<NameLoc>(argument.getLoc()); name.empty() && loc)
    name = loc.getName().str();
  if (name.empty())
    name = "arg" + std::to_string(index);
  StringRef role = nameOf(given, {"raf.role"});
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr("raf.name", builder.getStringAttr(names.unique(name))),
                                            builder.getNamedAttr("raf.role", builder.getStringAttr(role.empty() ? "input" : role))};
  appendTypeAttributes(builder, argument.getType(), attributes);
  appendSharding(importer, given, attributes);
  if (given && given.contains("raf.frozen"))
    attributes.push_back(builder.getNamedAttr("raf.frozen", builder.getUnitAttr()));
  return builder.getDictionaryAttr(attributes);
}

static DictionaryAttr resultAttributes(const Importer &importer, func::FuncOp source, unsigned index, std::optional<unsigned> alias, Names &names) {
  Builder builder(source.getContext());
  DictionaryAttr given = source.getResultAttrDict(index);
  StringRef name = nameOf(given, {"raf.name", "jax.result_info"});
  std::string wanted = name.empty() ? "result" + std::to_string(index) : name.str();
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr("raf.name", builder.getStringAttr(names.unique(wanted)))};
  appendTypeAttributes(builder, source.getResultTypes()[index], attributes);
  appendSharding(importer, given, attributes);
  if (alias)
    attributes.push_back(builder.getNamedAttr("raf.alias", builder.getI64IntegerAttr(*alias)));
  else if (Attribute kept = given ? given.get("raf.alias") : Attribute())
    attributes.push_back(builder.getNamedAttr("raf.alias", kept));
  return builder.getDictionaryAttr(attributes);
}

// The argument that each result overwrites, as donation in JAX has it.
static FailureOr<SmallVector<std::optional<unsigned>>> readAliases(func::FuncOp source) {
  SmallVector<std::optional<unsigned>> aliases(source.getNumResults());
  for (unsigned i = 0; i < source.getNumArguments(); ++i) {
    Attribute attribute = source.getArgAttr(i, "tf.aliasing_output");
    if (!attribute)
      continue;
    auto integer = dyn_cast<IntegerAttr>(attribute);
    uint64_t result = integer ? integer.getValue().getLimitedValue() : ~0ull;
    if (result >= aliases.size() || aliases[result] || source.getResultTypes()[result] != source.getArgumentTypes()[i])
      return source.emitOpError() << "argument " << i << ": tf.aliasing_output must name a result of the argument's type that no other argument names, got " << attribute,
             failure();
    aliases[result] = i;
  }
  return aliases;
}

// The seed and the step are the last arguments of the body; here they become those of the function.
static void addRandomState(func::FuncOp model, Names &names) {
  Builder builder(model.getContext());
  SmallVector<DictionaryAttr> attributes;
  model.getAllArgAttrs(attributes);
  for (StringRef role : {"seed", "step"}) {
    NamedAttribute entries[] = {builder.getNamedAttr("raf.name", builder.getStringAttr(names.unique(role))), builder.getNamedAttr("raf.role", builder.getStringAttr(role))};
    attributes.push_back(builder.getDictionaryAttr(entries));
  }
  model.setFunctionType(builder.getFunctionType(model.getBody().getArgumentTypes(), model.getResultTypes()));
  model.setAllArgAttrs(attributes);
}

static func::FuncOp findProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    SmallVector<func::FuncOp> exposed;
    for (auto func : module.getOps<func::FuncOp>())
      if (func.isPublic())
        exposed.push_back(func);
    if (exposed.size() == 1)
      main = exposed.front();
  }
  if (main && main.getBody().hasOneBlock())
    return main;
  emitError(module.getLoc()) << "import-stablehlo needs a function @main of one block";
  return {};
}

static Parts splitArgument(TensorBuilder &b, Value argument, Type source) {
  if (!isComplex(source))
    return {argument, {}};
  ArrayRef<int64_t> shape = TensorBuilder::typeOf(argument).getShape();
  auto part = [&](int64_t index) {
    SmallVector<int64_t> starts(shape.size(), 0), limits(shape), strides(shape.size(), 1);
    starts.back() = index;
    limits.back() = index + 1;
    return b.reshape(b.slice(argument, starts, limits, strides), shape.drop_back());
  };
  return {part(0), part(1)};
}

static Value joinResult(TensorBuilder &b, Parts parts) {
  if (!parts.imag)
    return parts.real;
  SmallVector<int64_t> shape(TensorBuilder::typeOf(parts.real).getShape());
  shape.push_back(1);
  Value halves[] = {b.reshape(parts.real, shape), b.reshape(parts.imag, shape)};
  return b.fold<ConcatOp>(ValueRange(halves), static_cast<int64_t>(shape.size() - 1));
}

static bool checkSignature(func::FuncOp source) {
  bool valid = true;
  auto check = [&](Type type, StringRef what, unsigned index) {
    std::string why;
    if (!Importer::isSupported(type, why)) {
      source.emitOpError() << what << " " << index << " has a type that is not supported: " << why;
      valid = false;
    }
  };
  for (auto [index, type] : llvm::enumerate(source.getArgumentTypes()))
    check(type, "argument", index);
  for (auto [index, type] : llvm::enumerate(source.getResultTypes()))
    check(type, "result", index);
  return valid;
}

// Handlers compute what only some uses need, and unrolled loops leave counters that nothing reads.
static void eraseDead(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      for (Region &inner : op.getRegions())
        eraseDead(inner);
      if (isOpTriviallyDead(&op))
        op.erase();
    }
}

void ImportStablehloPass::runOnOperation() {
  static const HandlerTable table = makeTable();
  ModuleOp module = getOperation();
  if (failed(flattenTuples(module)))
    return signalPassFailure();
  expandBroadcasts(module);
  func::FuncOp source = findProgram(module);
  if (!source || !checkSignature(source))
    return signalPassFailure();
  FailureOr<SmallVector<std::optional<unsigned>>> aliases = readAliases(source);
  if (failed(aliases))
    return signalPassFailure();

  OpBuilder builder(&getContext());
  OwningOpRef<func::FuncOp> model = func::FuncOp::create(source.getLoc(), "main", builder.getFunctionType({}, {}));
  Importer importer(module, table, builder, *model);
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  Names argumentNames, resultNames;
  for (unsigned i = 0; i < source.getNumArguments(); ++i) {
    argumentTypes.push_back(boundaryType(importer, source.getArgumentTypes()[i]));
    argumentAttrs.push_back(argumentAttributes(importer, source, i, argumentNames));
  }
  for (unsigned i = 0; i < source.getNumResults(); ++i) {
    resultTypes.push_back(boundaryType(importer, source.getResultTypes()[i]));
    resultAttrs.push_back(resultAttributes(importer, source, i, (*aliases)[i], resultNames));
  }

  model->setFunctionType(builder.getFunctionType(argumentTypes, resultTypes));
  model->setAllArgAttrs(argumentAttrs);
  model->setAllResultAttrs(resultAttrs);
  Block *body = model->addEntryBlock();
  builder.setInsertionPointToStart(body);
  TensorBuilder b(builder, source.getLoc());
  SmallVector<Parts> arguments;
  for (auto [from, to] : llvm::zip(source.getArguments(), body->getArguments())) {
    to.setLoc(from.getLoc());
    arguments.push_back(splitArgument(b, to, from.getType()));
  }
  FailureOr<SmallVector<Parts>> results = importer.importBlock(source.getBody().front(), arguments);
  numOps += importer.getNumImported();
  if (failed(importer.reportUnsupported()) || failed(results))
    return signalPassFailure();
  if (importer.hasRandomState())
    addRandomState(*model, argumentNames);
  SmallVector<Value> returned;
  for (Parts parts : *results)
    returned.push_back(joinResult(b, parts));
  if (TypeRange(ValueRange(returned)) != TypeRange(resultTypes)) {
    source.emitOpError() << "returns values that are not of its result types";
    return signalPassFailure();
  }
  func::ReturnOp::create(builder, source.getBody().front().getTerminator()->getLoc(), returned);
  eraseDead(model->getBody());
  SmallVector<func::FuncOp> functions = importer.takeFunctions();
  for (func::FuncOp function : functions)
    eraseDead(function.getBody());

  if (int64_t devices = importer.getDevices().count(); devices > 1) {
    module->setAttr(kNumDevicesAttribute, builder.getI64IntegerAttr(devices));
    if (DictionaryAttr meshes = meshesToAttribute(module))
      module->setAttr(kMeshesAttribute, meshes);
  }
  // Only the model stays: helpers have been expanded.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    op.dropAllUses();
    op.erase();
  }
  for (NamedAttribute attribute : llvm::to_vector(module->getDiscardableAttrs()))
    if (StringRef name = attribute.getName().strref(); name.starts_with("mhlo.") || name.starts_with("jax.") || name.starts_with("stablehlo."))
      module->removeDiscardableAttr(attribute.getName());
  module.push_back(model.release());
  for (func::FuncOp function : functions)
    module.push_back(function);
}
