// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::raf;

// What the option `skip` can leave out.
static constexpr StringRef kOptional[] = {"raf-simplify", "raf-constant-fold", "raf-layout", "raf-pack-weights", "raf-fuse", "raf-schedule", "raf-inplace", "raf-elide-copies", "raf-merge-launches"};

// The 16-bit types that are multiplied as f32: as told, or those that the CPU has no instructions for.
static SmallVector<StringRef> widenedTypes(const CpuPipelineOptions &options) {
  if (!options.widen.empty()) {
    auto range = llvm::make_filter_range(options.widen, [](StringRef name) { return name != "none"; });
    return SmallVector<StringRef>(range.begin(), range.end());
  }
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  auto hasAny = [&](ArrayRef<StringRef> names) { return llvm::any_of(names, [&](StringRef name) { return features.lookup(name); }); };
  SmallVector<StringRef> types;
  if (!hasAny({"avx512bf16", "amx-bf16", "bf16"}))
    types.push_back("bf16");
  if (!hasAny({"avx512fp16", "amx-fp16", "fullfp16"}))
    types.push_back("f16");
  return types;
}

// The pipeline is kept as the text that raf-opt would be given: what is read here is what runs.
static std::string cpuPipelineText(const CpuPipelineOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool optimize = options.optLevel > 0;
  auto uses = [&](StringRef pass) { return optimize && !llvm::is_contained(options.skip, pass); };
  auto list = [&](StringRef name, const auto &values) {
    if (values.empty())
      return std::string();
    std::string joined;
    llvm::raw_string_ostream stream(joined);
    stream << ' ' << name << '=';
    llvm::interleave(values, stream, ",");
    return joined;
  };
  const char *clean = "canonicalize,cse";
  // The graph.
  os << "inline,symbol-dce,raf-erase-stop-gradient," << clean << ",raf-check-devices,";
  for (StringRef pass : {"raf-simplify", "raf-constant-fold"})
    if (uses(pass))
      os << pass << ',';
  if (optimize)
    os << clean << ',';
  // oneDNN computes channels_last activations as they lie; generated kernels do not care.
  if (uses("raf-layout") && llvm::is_contained(options.libraries, "dnnl"))
    os << "raf-layout," << clean << ',';
  // What is too large to be there at once becomes loops over blocks.
  os << "raf-decompose-ops{only=raf.attention,raf.attention_grad,raf.linear_cross_entropy,raf.linear_cross_entropy_grad}," << clean << ',';
  if (optimize && !options.libraries.empty())
    if (SmallVector<StringRef> types = widenedTypes(options); !types.empty())
      os << "raf-widen-products{types=" << llvm::join(types, ",") << "}," << clean << ',';
  // Loops and branches become calls of functions that the rest of the pipeline treats as it does @main.
  os << "raf-outline-regions," << clean << ',';
  // Library ops.
  std::string dispatch = list("libraries", options.libraries) + list("prefer", options.prefer) + list("forbid", options.forbid) + list("force", options.force);
  if (options.questions) {
    os << "raf-dispatch{questions=true" << dispatch << '}';
    return text;
  }
  if (!options.measurements.empty())
    dispatch += " measurements=\"" + options.measurements + "\"";
  if (optimize && !options.libraries.empty())
    os << "raf-dispatch{" << StringRef(dispatch).ltrim() << "}," << (uses("raf-pack-weights") ? "raf-pack-weights," : "") << clean << ',';
  // Kernels.
  os << "raf-decompose-ops," << clean << ',';
  if (uses("raf-elide-copies"))
    os << "func.func(raf-isolate-copies),";
  os << "raf-convert-to-linalg," << clean << ',';
  os << "func.func(" << (uses("raf-fuse") ? "raf-recompute-masks," : "") << "raf-fuse{enable=" << (uses("raf-fuse") ? "true" : "false") << "}),raf-outline-kernels,canonicalize,";
  // Counted while kernels are on tensors; the host code's description takes it from the launches.
  if (options.profile)
    os << "raf-report-cost{annotate=true},";
  // Buffers.
  os << "raf-inplace{reuse=false}," << (uses("raf-schedule") ? "raf-schedule," : "");
  if (options.memoryBudget != 0)
    os << "raf-rematerialize{budget=" << options.memoryBudget << "},";
  else if (options.memorySlack != 0 && uses("raf-inplace"))
    os << "raf-rematerialize{slack=" << options.memorySlack << "},";
  os << (uses("raf-inplace") ? "raf-inplace{donate=false}," : "");
  os << "raf-bufferize-host," << (uses("raf-elide-copies") ? "raf-elide-copies," : "") << "raf-specialize-kernels," << (uses("raf-merge-launches") ? "raf-merge-launches," : "");
  os << "raf-plan-memory{share=" << (optimize ? "true" : "false") << "},";
  // Code.
  os << "raf-tile-kernels," << clean << ",raf-approximate-math," << clean << ",raf-lower-kernels,raf-lower-host";
  if (options.profile)
    os << "{profile=true}";
  return text;
}

LogicalResult mlir::raf::buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options, llvm::raw_ostream &errors) {
  for (const std::string &pass : options.skip)
    if (!llvm::is_contained(kOptional, pass)) {
      errors << "skip: '" << pass << "' is not an optimization that can be left out; those are ";
      llvm::interleaveComma(kOptional, errors);
      return failure();
    }
  if (options.memoryBudget != 0 && (options.optLevel == 0 || llvm::is_contained(options.skip, "raf-inplace"))) {
    errors << "memory-budget needs opt-level 1 or 2 and raf-inplace, which lets values share memory; got opt-level " << options.optLevel
           << (options.optLevel == 0 ? "" : " without raf-inplace");
    return failure();
  }
  return parsePassPipeline(cpuPipelineText(options), manager, errors);
}

void mlir::raf::registerPipelines() {
  // PassPipelineRegistration would print what is wrong with the options instead of reporting it.
  registerPassPipeline(
      "raf-cpu", "A module of raf ops to the LLVM dialect for the CPU",
      [](OpPassManager &manager, StringRef text, function_ref<LogicalResult(const Twine &)> error) {
        CpuPipelineOptions options;
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (succeeded(options.parseFromString(text, stream)) && succeeded(buildCpuPipeline(manager, options, stream)))
          return success();
        // What is wrong with a value goes to standard error.
        return error(message.empty() ? "an option has a value that it cannot take" : StringRef(message).trim());
      },
      [](function_ref<void(const detail::PassOptions &)> describe) { describe(CpuPipelineOptions()); });
}
