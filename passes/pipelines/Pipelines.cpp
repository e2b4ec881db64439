// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/pipelines/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::raf;

// What the option `skip` can leave out.
static constexpr StringRef kOptional[] = {"raf-simplify", "raf-constant-fold", "raf-merge-products", "raf-layout", "raf-store-layouts", "raf-pack-weights", "raf-fuse", "raf-schedule", "raf-inplace", "raf-elide-copies", "raf-merge-launches"};

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

static constexpr StringRef kClean = "canonicalize,cse";
static constexpr StringRef kDeviceSpeeds = " launch-ns=2000 flops-per-ns=50000 bytes-per-ns=2000";
static constexpr StringRef kChips[] = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120", "sm_120a", "sim"};

namespace {
// A pipeline is kept as the text that raf-opt would be given: what is read here is what runs. The parts are in the order in which they run.
template <typename Options>
class Text {
public:
  explicit Text(const Options &options) : options(options), os(text), optimize(options.optLevel > 0) {}

  bool uses(StringRef pass) const { return optimize && !llvm::is_contained(options.skip, pass); }

  template <typename Values>
  static std::string list(StringRef name, const Values &values) {
    if (values.empty())
      return std::string();
    std::string joined;
    llvm::raw_string_ostream stream(joined);
    stream << ' ' << name << '=';
    llvm::interleave(values, stream, ",");
    return joined;
  }

  // `layout` is the pass that chooses layouts for a library, if there is one; what `widen` says becomes products of wider types; `speeds` are those of the machine where they are not a CPU's, `align` what its
  // kernels expect of addresses; `attention` has the passes that take attention before it becomes loops.
  void graph(StringRef layout, ArrayRef<StringRef> widen, StringRef speeds, int64_t align, StringRef attention = {}) {
    os << "inline,symbol-dce,raf-erase-stop-gradient," << kClean << ",raf-check-devices,";
    for (StringRef pass : {"raf-simplify", "raf-constant-fold"})
      if (uses(pass))
        os << pass << ',';
    if (optimize)
      os << kClean << ',';
    if (uses("raf-merge-products"))
      os << "raf-merge-products" << (speeds.empty() ? "" : ("{" + speeds.ltrim() + "}").str()) << ',' << kClean << ',';
    if (!layout.empty() && uses(layout))
      os << layout << ',' << kClean << ',';
    os << attention;
    // What is too large to be there at once becomes loops over blocks.
    os << "raf-decompose-ops{only=raf.attention,raf.attention_grad,raf.linear_cross_entropy,raf.linear_cross_entropy_grad}," << kClean << ',';
    if (optimize && !options.libraries.empty() && !widen.empty())
      os << "raf-widen-products{types=" << llvm::join(widen, ",") << "}," << kClean << ',';
    // Loops and branches become calls of functions that the rest of the pipeline treats as it does @main.
    os << "raf-outline-regions" << (align == 1 ? "" : "{align=" + std::to_string(align) + "}") << ',' << kClean << ',';
  }

  std::string dispatchOptions() const {
    return list("libraries", options.libraries) + list("prefer", options.prefer) + list("forbid", options.forbid) + list("force", options.force);
  }

  void dispatch(StringRef dispatchOptions, StringRef after) {
    if (optimize && !dispatchOptions.empty())
      os << "raf-dispatch{" << dispatchOptions.ltrim() << "}," << after << kClean << ',';
  }

  // On a device with many threads scatters and scans compute all elements of their results at once, at level 0 too: what the CPU does is a loop in which each update waits for the one before,
  // on a device one thread's, which with a table of real size takes it seconds. Theirs is the CPU's level 0 as the oracle. What is pointwise always goes with the product that it follows, since
  // a launch costs more; `split` is what cuts reductions into enough parts for it.
  void kernels(bool manyThreads, StringRef split = {}) {
    os << "raf-decompose-ops," << kClean << ',';
    if (uses("raf-elide-copies"))
      os << "func.func(raf-isolate-copies),";
    os << "raf-convert-to-linalg" << (manyThreads ? "{by-result=true}" : optimize ? "{views=true}" : "") << ',' << kClean << ',';
    os << "func.func(" << (uses("raf-fuse") ? "raf-recompute-masks," : "") << (optimize ? split : "") << "raf-fuse{enable=" << (uses("raf-fuse") ? "true" : "false") << (manyThreads ? " epilogues=true stages=false" : "") << "}),raf-outline-kernels,canonicalize,";
    // Counted while kernels are on tensors; the host code's description takes it from the launches.
    if (options.profile)
      os << "raf-report-cost{annotate=true},";
  }

  // `speeds` are those of the machine, `costs` those of raf-merge-launches, and `slack` is what it may take where no budget has been promised to be met.
  void buffers(StringRef schedule, StringRef speeds, StringRef costs, StringRef slack) {
    os << "raf-inplace{reuse=false}," << (uses("raf-schedule") ? schedule : "");
    if (options.memoryBudget != 0)
      os << "raf-rematerialize{budget=" << options.memoryBudget << speeds << "},";
    else if (options.memorySlack != 0 && uses("raf-inplace"))
      os << "raf-rematerialize{slack=" << options.memorySlack << speeds << "},";
    os << (uses("raf-inplace") ? "raf-inplace{donate=false}," : "");
    os << "raf-bufferize-host," << (uses("raf-elide-copies") ? "raf-elide-copies," : "") << "raf-specialize-kernels,";
    if (uses("raf-merge-launches"))
      os << "raf-merge-launches{" << costs << (options.memoryBudget != 0 ? "slack-bytes=0" : slack) << "},";
    os << "raf-plan-memory{share=" << (optimize ? "true" : "false") << "},";
  }

  const Options &options;
  std::string text;
  llvm::raw_string_ostream os;
  bool optimize;
};
} // namespace

static std::string cpuPipelineText(const CpuPipelineOptions &options) {
  Text text(options);
  // oneDNN computes channels_last activations as they lie; generated kernels do not care.
  text.graph(llvm::is_contained(options.libraries, "dnnl") ? "raf-layout" : "", widenedTypes(options), "", /*align=*/1);
  // Generated code alone may be measured too.
  std::string dispatch = (options.libraries.empty() ? " libraries=codegen" : "") + text.dispatchOptions();
  bool dispatches = !options.libraries.empty() || !options.measurements.empty();
  if (options.questions) {
    text.os << "raf-dispatch{questions=true" << dispatch << '}';
    return text.text;
  }
  if (!options.measurements.empty())
    dispatch += " measurements=\"" + options.measurements + "\"";
  bool stores = options.storeLayouts && text.uses("raf-store-layouts");
  text.dispatch(dispatches ? dispatch : "", (stores ? "raf-store-layouts{" + StringRef(Text<CpuPipelineOptions>::list("layouts", options.storedAs)).ltrim().str() + "}," : "") + std::string(text.uses("raf-pack-weights") ? "raf-pack-weights," : ""));
  text.kernels(/*manyThreads=*/false);
  text.buffers("raf-schedule,", "", "", "slack-bytes=8192");
  text.os << "raf-tile-kernels" << (options.blocks.empty() ? "" : "{blocks=" + options.blocks + "}") << ',' << kClean << ",raf-approximate-math," << kClean << ",raf-lower-kernels,raf-lower-host";
  if (options.profile)
    text.os << "{profile=true}";
  text.os << ",raf-optimize-loops";
  return text.text;
}

// Multiprocessors of the usual device of a chip. Smaller ones (an H100 PCIe has 114) get a few blocks more than they run at a time.
static int64_t unitsOf(StringRef chip) {
  return llvm::StringSwitch<int64_t>(chip).Case("sm_80", 108).Case("sm_86", 84).Case("sm_89", 128).Cases({"sm_100", "sm_100a"}, 148).Cases({"sm_120", "sm_120a"}, 170).Default(132);
}

// The chip that kernels are made for.
static StringRef kernelChip(const CudaPipelineOptions &options) {
  if (options.chip != "sim")
    return options.chip;
  return options.simulate.empty() ? StringRef("sm_80") : StringRef(options.simulate);
}

// The chip whose libraries the program may use. The simulated GPU has its own, which know all operations, unless it is asked for the programs of a certain chip.
static std::string libraryChip(const CudaPipelineOptions &options) {
  StringRef chip = options.chip == "sim" ? StringRef(options.simulate) : StringRef(options.chip);
  return chip.empty() ? "" : (" chip=" + chip).str();
}

static std::string cudaPipelineText(const CudaPipelineOptions &options) {
  Text text(options);
  std::string dispatch = options.libraries.empty() ? "" : text.dispatchOptions() + (options.tf32 ? " tf32=true" : "") + (options.libraryRelu ? " library-relu=true" : "") + libraryChip(options);
  // The library's attention, pools and norms only where it is asked for, in an attribute or for the whole program; it has pools with channels last alone.
  bool cudnn = options.optLevel > 0 && llvm::is_contained(options.libraries, "cudnn");
  bool asked = cudnn && (llvm::is_contained(options.prefer, "cudnn") || llvm::is_contained(options.force, "cudnn"));
  text.graph(asked ? "raf-layout" : "", {}, kDeviceSpeeds, /*align=*/16,
             (cudnn ? "raf-dispatch{only=raf.attention,raf.attention_grad" + dispatch + "}," : std::string()) + (text.optimize ? "raf-tile-attention," + kClean.str() + "," : std::string()));
  text.dispatch(dispatch, "");
  text.kernels(/*manyThreads=*/true, "raf-split-reductions{units=" + std::to_string(unitsOf(kernelChip(options))) + "},");
  // One launch updates all parameters, as long as no budget asks for less.
  text.buffers(options.memoryBudget != 0 ? "raf-schedule," : "raf-schedule{put-off=false},", kDeviceSpeeds, "cache-bytes=33554432 launch-bytes=4194304 ", "slack-percent=3");
  bool wgmma = kernelChip(options) == "sm_90a";
  text.os << "raf-map-to-gpu{" << (options.tf32 ? "tf32=true " : "") << (wgmma ? "wgmma=true" : "") << "}," << kClean << ',';
  if (options.streams > 1)
    text.os << "raf-assign-streams{streams=" << options.streams.getValue() << "},raf-check-streams,";
  text.os << "raf-lower-host{device=" << (options.chip == "sim" ? "cuda-sim" : "cuda") << (options.profile ? " profile=true" : "") << "},";
  if (options.chip == "sim")
    text.os << "raf-gpu-to-sim{" << StringRef(Text<CudaPipelineOptions>::list("check", options.check)).ltrim() << "}";
  else
    text.os << "raf-gpu-to-ptx{chip=" << options.chip << "}";
  return text.text;
}

template <typename Options>
static LogicalResult check(const Options &options, llvm::raw_ostream &errors) {
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
  return success();
}

LogicalResult mlir::raf::buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options, llvm::raw_ostream &errors) {
  return failed(check(options, errors)) ? failure() : parsePassPipeline(cpuPipelineText(options), manager, errors);
}

LogicalResult mlir::raf::buildCudaPipeline(OpPassManager &manager, const CudaPipelineOptions &options, llvm::raw_ostream &errors) {
  if (!llvm::is_contained(kChips, StringRef(options.chip))) {
    errors << "chip: '" << options.chip << "' is not known; expected one of ";
    llvm::interleaveComma(kChips, errors);
    return failure();
  }
  if (!options.simulate.empty() && options.chip != "sim") {
    errors << "simulate: '" << options.simulate << "' is for the chip sim, whose kernels it chooses; got chip " << options.chip;
    return failure();
  }
  StringRef simulated = kernelChip(options);
  if (simulated == "sim" || !llvm::is_contained(kChips, simulated)) {
    errors << "simulate: '" << options.simulate << "' is not known; expected one of ";
    llvm::interleaveComma(ArrayRef(kChips).drop_back(), errors);
    return failure();
  }
  if (options.streams < 1 || options.streams > 64) {
    errors << "streams: expected 1 to 64, got " << options.streams.getValue();
    return failure();
  }
  return failed(check(options, errors)) ? failure() : parsePassPipeline(cudaPipelineText(options), manager, errors);
}

template <typename Options>
static void registerPipeline(StringRef name, StringRef description, LogicalResult (*build)(OpPassManager &, const Options &, llvm::raw_ostream &)) {
  // PassPipelineRegistration would print what is wrong with the options instead of reporting it.
  registerPassPipeline(
      name, description,
      [build](OpPassManager &manager, StringRef text, function_ref<LogicalResult(const Twine &)> error) {
        Options options;
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (succeeded(options.parseFromString(text, stream)) && succeeded(build(manager, options, stream)))
          return success();
        // What is wrong with a value goes to standard error.
        return error(message.empty() ? "an option has a value that it cannot take" : StringRef(message).trim());
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> describe) { describe(Options()); });
}

void mlir::raf::registerPipelines() {
  registerPipeline<CpuPipelineOptions>("raf-cpu", "A module of raf ops to the LLVM dialect for the CPU", buildCpuPipeline);
  registerPipeline<CudaPipelineOptions>("raf-cuda", "A module of raf ops to host code in the LLVM dialect and kernels for a CUDA device", buildCudaPipeline);
}
