// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global raf_sim_kernels: raf_sim_module of runtime/cuda_sim/raf_cuda_sim.h.
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
class Table {
public:
  Table(Operation *module) : b(module->getLoc(), OpBuilder::atBlockEnd(&module->getRegion(0).front())), pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  void add(ArrayRef<SimKernel> kernels, ArrayRef<std::string> sites, int32_t checks) {
    Type i32 = b.getI32Type();
    SmallVector<std::string> siteNames;
    for (const std::string &site : sites)
      siteNames.push_back(text(site));
    std::string siteArray = array("raf_sim_sites", siteNames);
    auto three = LLVM::LLVMArrayType::get(i32, 3);
    auto kernelType = LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, pointer, b.getI64Type(), i32, i32, pointer, three, i32});
    auto all = LLVM::LLVMArrayType::get(kernelType, kernels.size());
    SmallVector<std::string> names, sizes;
    for (const SimKernel &kernel : kernels) {
      names.push_back(text(kernel.name));
      sizes.push_back(numbers(kernel.paramBytes));
    }
    global("raf_sim_kernel_table", all, LLVM::Linkage::Internal, [&] {
      Value table = LLVM::UndefOp::create(b, all);
      for (auto [i, kernel] : llvm::enumerate(kernels)) {
        auto at = static_cast<int64_t>(i);
        auto set = [&](Value value, ArrayRef<int64_t> position) { table = LLVM::InsertValueOp::create(b, table, value, position); };
        set(address(names[i]), {at, 0});
        set(address(kernel.body), {at, 1});
        set(constant(b.getI64Type(), kernel.sharedBytes), {at, 2});
        set(constant(i32, static_cast<int64_t>(kernel.paramBytes.size())), {at, 3});
        set(constant(i32, kernel.cooperative), {at, 4});
        set(address(sizes[i]), {at, 5});
        for (int64_t dim = 0; dim < 3; ++dim)
          set(constant(i32, kernel.blockSize[dim]), {at, 6, dim});
        set(constant(i32, kernel.warpgroups), {at, 7});
      }
      return table;
    });
    auto moduleType = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, pointer, pointer, i32, i32});
    global("raf_sim_kernels", moduleType, LLVM::Linkage::External, [&] {
      Value module = LLVM::UndefOp::create(b, moduleType);
      Value fields[] = {constant(i32, RAF_SIM_VERSION), constant(i32, static_cast<int64_t>(kernels.size())), address("raf_sim_kernel_table"), address(siteArray),
                        constant(i32, static_cast<int64_t>(sites.size())), constant(i32, checks)};
      for (auto [i, field] : llvm::enumerate(fields))
        module = LLVM::InsertValueOp::create(b, module, field, static_cast<int64_t>(i));
      return module;
    });
  }

private:
  Value constant(Type type, int64_t value) { return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value)); }
  Value address(StringRef symbol) { return LLVM::AddressOfOp::create(b, pointer, symbol); }

  void global(StringRef name, Type type, LLVM::Linkage linkage, function_ref<Value()> build) {
    auto op = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, linkage, name, Attribute());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getInitializer());
    Value value = build();
    LLVM::ReturnOp::create(b, value);
  }

  std::string fresh() { return "raf_sim_constant_" + std::to_string(count++); }

  std::string text(StringRef value) {
    std::string name = fresh(), ended = value.str();
    ended.push_back(0);
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), ended.size()), /*isConstant=*/true, LLVM::Linkage::Internal, name, b.getStringAttr(ended));
    return name;
  }

  std::string numbers(ArrayRef<int32_t> values) {
    std::string name = fresh();
    SmallVector<int32_t> some(values);
    if (some.empty())
      some.push_back(0);
    auto shape = RankedTensorType::get({static_cast<int64_t>(some.size())}, b.getI32Type());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI32Type(), some.size()), /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           DenseIntElementsAttr::get(shape, ArrayRef<int32_t>(some)));
    return name;
  }

  std::string array(StringRef name, ArrayRef<std::string> symbols) {
    auto type = LLVM::LLVMArrayType::get(pointer, symbols.size());
    global(name, type, LLVM::Linkage::Internal, [&] {
      Value all = LLVM::UndefOp::create(b, type);
      for (auto [i, symbol] : llvm::enumerate(symbols))
        all = LLVM::InsertValueOp::create(b, all, address(symbol), static_cast<int64_t>(i));
      return all;
    });
    return name.str();
  }

  ImplicitLocOpBuilder b;
  Type pointer;
  int64_t count = 0;
};
} // namespace

void mlir::raf::addSimTable(Operation *module, ArrayRef<SimKernel> kernels, ArrayRef<std::string> sites, const SimChecks &checks) {
  Table(module).add(kernels, sites, checks.flags());
}
