// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of a program, meshes of them, and how tensors lie on a mesh.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_MESH_H
#define RAF_PASSES_IMPORT_STABLEHLO_MESH_H

#include "dialects/raf/Sharding.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::raf::stablehlo {

/// The module: its meshes.
inline constexpr StringRef kMeshesAttribute = "raf.meshes";

/// How many devices there are; device number = replica * partitions + partition.
struct Devices {
  int64_t replicas = 1, partitions = 1;

  int64_t count() const { return replicas * partitions; }
  /// As the module states it; if it does not, as many as its meshes and groups name.
  static Devices read(ModuleOp module);
};

using DeviceGroups = SmallVector<SmallVector<int64_t>>;

/// Devices in a grid with named axes, the last one the fastest.
struct Mesh {
  SmallVector<StringRef> axes;
  SmallVector<int64_t> sizes;

  std::optional<unsigned> find(StringRef axis) const;
  int64_t count() const;
  /// Devices from one position along an axis to the next.
  int64_t stride(unsigned axis) const;
  /// The devices that differ only in their positions along the axes, the first of which is the slowest; none if an axis is unknown or named twice.
  std::optional<DeviceGroups> groups(ArrayRef<StringRef> along) const;
  /// The mesh of that symbol; with an error at `user` if there is none, or its devices are not in order.
  static FailureOr<Mesh> find(Operation *user, ModuleOp module, StringRef symbol);
};

/// #sdy.sharding<@mesh, [{"x"}, {?}], replicated={"y"}>: for each dimension the axes that cut it, the first of which cuts the coarsest.
struct Sharding {
  StringRef mesh;
  SmallVector<SmallVector<StringRef>> dims;
  /// Whether more axes may be added to a dimension.
  SmallVector<bool> isOpen;
  SmallVector<StringRef> replicated;
  bool isUnreduced = false;

  static std::optional<Sharding> read(Attribute attribute);
  /// {mesh = "mesh", dims = [["x"], []], open = [1], replicated = ["y"]}: what `raf.sharding` holds.
  DictionaryAttr toAttribute(MLIRContext *context) const;
};

/// #sdy.sharding_per_value<[<@mesh, [{"x"}]>, ...]>
std::optional<SmallVector<Sharding>> readShardings(Attribute attribute);

/// {mesh = {axes = ["x", "y"], sizes = [2, 4]}}: what `raf.meshes` of the module holds; null without meshes.
DictionaryAttr meshesToAttribute(ModuleOp module);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_MESH_H
