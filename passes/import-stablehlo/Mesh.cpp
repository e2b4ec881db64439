// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Mesh.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Scanner.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::raf::stablehlo;

static constexpr int64_t kMaxDevices = 1 << 20;

//===-- meshes ---------------------------------------------------------------------------------------------------===//

std::optional<unsigned> Mesh::find(StringRef axis) const {
  auto it = llvm::find(axes, axis);
  return it == axes.end() ? std::nullopt : std::optional<unsigned>(it - axes.begin());
}

int64_t Mesh::count() const {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

int64_t Mesh::stride(unsigned axis) const {
  int64_t result = 1;
  for (int64_t size : ArrayRef(sizes).drop_front(axis + 1))
    result *= size;
  return result;
}

std::optional<DeviceGroups> Mesh::groups(ArrayRef<StringRef> along) const {
  SmallVector<unsigned> inside, outside;
  for (StringRef axis : along) {
    std::optional<unsigned> index = find(axis);
    if (!index || llvm::is_contained(inside, *index))
      return std::nullopt;
    inside.push_back(*index);
  }
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    if (!llvm::is_contained(inside, axis))
      outside.push_back(axis);
  auto walk = [&](int64_t first, ArrayRef<unsigned> order) {
    SmallVector<int64_t> devices = {first};
    for (unsigned axis : order) {
      SmallVector<int64_t> finer;
      for (int64_t device : devices)
        for (int64_t position = 0; position < sizes[axis]; ++position)
          finer.push_back(device + position * stride(axis));
      devices = finer;
    }
    return devices;
  };
  DeviceGroups result;
  for (int64_t first : walk(0, outside))
    result.push_back(walk(first, inside));
  return result;
}

// mesh<["x"=2, "y"=2]>, with a list of devices where they are not in order.
static std::optional<Mesh> parseMesh(Scanner &scanner, bool &isOrdered) {
  Mesh mesh;
  isOrdered = true;
  auto axis = [&] {
    std::optional<StringRef> name = scanner.quoted();
    std::optional<int64_t> size = name && scanner.consume("=") ? scanner.integer() : std::nullopt;
    if (!size || *size < 1 || mesh.count() * std::min(*size, kMaxDevices + 1) > kMaxDevices)
      return false;
    mesh.axes.push_back(*name);
    mesh.sizes.push_back(*size);
    return true;
  };
  if (!scanner.consume("mesh") || !scanner.consume("<") || !scanner.consume("[") || !scanner.list("]", axis))
    return std::nullopt;
  if (scanner.consume(",")) {
    std::optional<SmallVector<int64_t>> devices;
    if (!scanner.consume("device_ids") || !scanner.consume("=") || !scanner.consume("[") || !(devices = scanner.ints()))
      return std::nullopt;
    // A mesh without axes may be one device of any number.
    isOrdered = llvm::all_of(llvm::enumerate(*devices), [](auto entry) { return entry.value() == static_cast<int64_t>(entry.index()); });
  }
  return scanner.consume(">") ? std::optional(mesh) : std::nullopt;
}

static std::optional<Mesh> readMesh(Operation &op, bool &isOrdered) {
  auto text = dyn_cast_or_null<OpaqueAttr>(op.getAttr("mesh"));
  Scanner scanner{text ? text.getAttrData() : StringRef()};
  return parseMesh(scanner, isOrdered);
}

static bool isMesh(Operation &op) { return op.getName().getStringRef() == "sdy.mesh" && op.getAttrOfType<StringAttr>("sym_name"); }

FailureOr<Mesh> Mesh::find(Operation *user, ModuleOp module, StringRef symbol) {
  for (Operation &op : *module.getBody()) {
    if (!isMesh(op) || op.getAttrOfType<StringAttr>("sym_name").getValue() != symbol)
      continue;
    bool isOrdered;
    std::optional<Mesh> mesh = readMesh(op, isOrdered);
    if (!mesh)
      return op.emitOpError() << "needs an attribute 'mesh' like #sdy.mesh<[\"x\"=2, \"y\"=2]>, got " << op.getAttr("mesh"), failure();
    if (!isOrdered)
      return user->emitOpError() << "uses mesh @" << symbol << ", whose devices must be in the order of their numbers", failure();
    return *mesh;
  }
  return user->emitOpError() << "uses mesh @" << symbol << ", which the module does not have", failure();
}

DictionaryAttr mlir::raf::stablehlo::meshesToAttribute(ModuleOp module) {
  Builder builder(module.getContext());
  NamedAttrList meshes;
  for (Operation &op : *module.getBody()) {
    bool isOrdered;
    std::optional<Mesh> mesh = isMesh(op) ? readMesh(op, isOrdered) : std::nullopt;
    if (!mesh)
      continue;
    NamedAttribute fields[] = {builder.getNamedAttr("axes", builder.getStrArrayAttr(mesh->axes)), builder.getNamedAttr("sizes", builder.getDenseI64ArrayAttr(mesh->sizes))};
    meshes.set(op.getAttrOfType<StringAttr>("sym_name").getValue(), builder.getDictionaryAttr(fields));
  }
  return meshes.empty() ? DictionaryAttr() : meshes.getDictionary(module.getContext());
}

//===-- the number of devices ------------------------------------------------------------------------------------===//

static int64_t largestElement(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  int64_t result = 0;
  if (elements && elements.getElementType().isInteger(64) && elements.getNumElements() <= kMaxDevices)
    for (const APInt &value : elements.getValues<APInt>())
      result = std::max(result, value.getSExtValue());
  return std::min(result, kMaxDevices - 1);
}

Devices Devices::read(ModuleOp module) {
  Devices devices;
  bool isStated = false;
  for (auto [name, count] : {std::pair<StringRef, int64_t *>("mhlo.num_replicas", &devices.replicas), {"mhlo.num_partitions", &devices.partitions}})
    if (auto value = module->getAttrOfType<IntegerAttr>(name)) {
      *count = std::clamp<int64_t>(value.getValue().getSExtValue(), 1, kMaxDevices);
      isStated = true;
    }
  if (isStated) {
    devices.partitions = std::min(devices.partitions, kMaxDevices / devices.replicas);
    return devices;
  }
  int64_t largest = 0;
  module.walk([&](Operation *op) {
    for (StringRef name : {"replica_groups", "source_target_pairs"})
      largest = std::max(largest, largestElement(op->getAttr(name)));
    bool isOrdered;
    if (std::optional<Mesh> mesh = isMesh(*op) ? readMesh(*op, isOrdered) : std::nullopt)
      devices.partitions = std::max(devices.partitions, mesh->count());
  });
  if (devices.partitions == 1)
    devices.replicas = largest + 1;
  return devices;
}

//===-- shardings ------------------------------------------------------------------------------------------------===//

// "x", or a part of it, "x":(1)2, which is refused where it is used as no axis of the mesh has that name.
static bool readAxis(Scanner &scanner, SmallVectorImpl<StringRef> &axes) {
  StringRef start = (scanner.next(""), scanner.text);
  std::optional<StringRef> name = scanner.quoted();
  if (!name)
    return false;
  if (scanner.consume(":")) {
    if (!scanner.consume("(") || !scanner.integer() || !scanner.consume(")") || !scanner.integer())
      return false;
    name = start.take_front(start.size() - scanner.text.size());
  }
  axes.push_back(*name);
  return true;
}

static bool readDim(Scanner &scanner, Sharding &sharding) {
  sharding.dims.emplace_back();
  sharding.isOpen.push_back(false);
  auto axis = [&] { return scanner.consume("?") ? sharding.isOpen.back() = true : readAxis(scanner, sharding.dims.back()); };
  // A priority may follow, which is for the propagation of shardings.
  return scanner.consume("{") && scanner.list("}", axis) && (!scanner.consume("p") || scanner.integer());
}

static bool readSharding(Scanner &scanner, Sharding &sharding) {
  if (!scanner.consume("<") || !scanner.consume("@"))
    return false;
  std::optional<StringRef> quoted = scanner.next("\"") ? scanner.quoted() : std::nullopt;
  sharding.mesh = quoted ? *quoted : scanner.word();
  if (!scanner.consume(",") || !scanner.consume("[") || !scanner.list("]", [&] { return readDim(scanner, sharding); }))
    return false;
  while (scanner.consume(",")) {
    StringRef field = scanner.word();
    SmallVector<StringRef> axes;
    if (!scanner.consume("=") || !scanner.consume("{") || !scanner.list("}", [&] { return readAxis(scanner, axes); }))
      return false;
    if (field == "replicated")
      sharding.replicated = axes;
    sharding.isUnreduced |= field == "unreduced";
  }
  return scanner.consume(">");
}

std::optional<Sharding> Sharding::read(Attribute attribute) {
  auto text = dyn_cast_or_null<OpaqueAttr>(attribute);
  Scanner scanner{text ? text.getAttrData() : StringRef()};
  Sharding sharding;
  return scanner.consume("sharding") && readSharding(scanner, sharding) ? std::optional(sharding) : std::nullopt;
}

std::optional<SmallVector<Sharding>> mlir::raf::stablehlo::readShardings(Attribute attribute) {
  auto text = dyn_cast_or_null<OpaqueAttr>(attribute);
  Scanner scanner{text ? text.getAttrData() : StringRef()};
  SmallVector<Sharding> shardings;
  auto element = [&] { return readSharding(scanner, shardings.emplace_back()); };
  bool valid = scanner.consume("sharding_per_value") && scanner.consume("<") && scanner.consume("[") && scanner.list("]", element) && scanner.consume(">");
  return valid ? std::optional(shardings) : std::nullopt;
}

DictionaryAttr Sharding::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<Attribute> axes = llvm::map_to_vector(dims, [&](const SmallVector<StringRef> &dim) -> Attribute { return builder.getStrArrayAttr(dim); });
  SmallVector<int64_t> open;
  for (auto [dim, isOpen] : llvm::enumerate(isOpen))
    if (isOpen)
      open.push_back(dim);
  SmallVector<NamedAttribute> fields = {builder.getNamedAttr("mesh", builder.getStringAttr(mesh)), builder.getNamedAttr("dims", builder.getArrayAttr(axes))};
  if (!open.empty())
    fields.push_back(builder.getNamedAttr("open", builder.getDenseI64ArrayAttr(open)));
  if (!replicated.empty())
    fields.push_back(builder.getNamedAttr("replicated", builder.getStrArrayAttr(replicated)));
  return builder.getDictionaryAttr(fields);
}
