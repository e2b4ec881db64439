// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_DISPATCH_PASSES_TD
#define RAF_PASSES_DISPATCH_PASSES_TD

include "mlir/Pass/PassBase.td"

def DispatchPass : Pass<"raf-dispatch", "::mlir::ModuleOp"> {
  let summary = "Give operators to the libraries that execute them";
  let description = [{
    For each raf op the implementations registered for it are tried, the highest preference first; the first legal one replaces the op, together with the ops around it
    that it covers (bias, activation, residual). What no library takes stays a raf op, for code generation.

    cuDNN takes convolutions by default, batch norm, pools and attention only where it is preferred or forced.

    The attribute `raf.dispatch = ["dnnl", "codegen"]` on an op, or on any op around it, lists the only choices allowed for it, in order. `prefer`, `forbid` and
    `force` say the same for the whole module: preferred libraries are tried first, forbidden ones never, and an op that a forced library implements in principle but
    not in this case is an error. An attribute overrides the options. `codegen` stands for code generation.

    oneDNN is left out where generated code is known to be faster and nobody prefers or forces the library: products of many small matrices in bf16, on CPUs with AVX-512 BF16. A file of times has the last word.

    With `measurements`, a file of the times of candidates, the fastest goes first for each op whose time is in it and for which nobody prefers or forces a library; a remark
    says the times. Passes measure nothing. With `questions` the module becomes a list of what is to be measured for it: for each different open op, with the ops around it
    that a library may cover, a module of its own with its `raf.candidates`; those of products include generated code in other blocks (`codegen-wide`), and where such blocks were
    the fastest of generated code, the op gets the attribute `raf.blocks`. The names of these modules are the keys of the file:
    `{"version": 1, "seconds": {"q01..": {"dnnl": 1.5e-05, "codegen": 2.5e-05}}}`, with null for a candidate that cannot compute it, or that nobody has
    measured because it had no chance.

    Products of fewer than `least-product` multiplications are not given to cuBLASLt: a launch of their own takes longer than they do within a generated kernel.

    Each choice that is declined is reported as a remark of the category `raf-dispatch`, with the reason.
  }];
  let options = [
    ListOption<"libraries", "libraries", "std::string", "The libraries to use (dnnl on CPUs, cublas and cudnn on NVIDIA GPUs); default: dnnl">,
    ListOption<"prefer", "prefer", "std::string", "Libraries to try first, in order">,
    ListOption<"forbid", "forbid", "std::string", "Libraries never to use">,
    ListOption<"force", "force", "std::string", "Libraries that must take every op that they implement">,
    ListOption<"only", "only", "std::string", "Names of the ops that are dispatched; default: all">,
    Option<"measurements", "measurements", "std::string", "", "File of measured times">,
    Option<"questions", "questions", "bool", "false", "List what to measure instead of dispatching">,
    Option<"tf32", "tf32", "bool", "false", "cuBLASLt and cuDNN may round f32 operands to tf32">,
    Option<"libraryRelu", "library-relu", "bool", "false", "cuBLASLt and cuDNN may compute relu, although theirs gives 0 for NaN">,
    Option<"leastProduct", "least-product", "int64_t", "0", "Multiplications that a product for cuBLASLt has at least">,
    Option<"chip", "chip", "std::string", "", "The chip whose engines of cuDNN are known; default: the stand-in of the simulated GPU, which has all">
  ];
  let statistics = [
    Statistic<"dispatched", "dispatched", "Ops given to a library">,
    Statistic<"fused", "fused", "Further ops covered by them">,
    Statistic<"declined", "declined", "Choices that were declined">
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::raf::dnnl::DnnlDialect", "::mlir::raf::cublas::CublasDialect", "::mlir::raf::cudnn::CudnnDialect", "::mlir::tensor::TensorDialect"];
}

def StoreLayoutsPass : Pass<"raf-store-layouts", "::mlir::ModuleOp"> {
  let summary = "Keep weights of convolutions in the library's layout between steps";
  let description = [{
    oneDNN copies the weights of a convolution into its own blocks each time, and the gradient of the weights out of blocks. This pass lets a parameter of `@main` (`raf.role`) lie in the blocks that its first
    convolution wants: the convolution reads it where it lies, the gradient of its input has the only reorder of it that is left, and the gradient of the weights is written into these blocks. Where
    those of the convolution would have to be filled with zeros, it is the other way round. Where the gradient's own blocks move fewer bytes in all, they are taken: so it is in mixed precision, where the
    convolution and the gradient of its input then read the parameter itself and round it while they reorder it, and the gradient is written where it is updated. The parameter's states, its gradient and its update are computed element by element, or summed over all elements, and lie in the same blocks.

    The types of these values become vectors of all elements. An argument of that kind has the attribute `raf.stored`: the logical `shape`, its dimensions `split` into outer parts and blocks, and the
    `order` in which these parts lie: the vector is the array of that shape, reshaped to `split` and transposed by `order`. `strides`, `blocks` and `of` are those of `#dnnl.blocked`. Whoever binds the argument converts it; the host code's manifest tells them.

    `layouts` says in which layouts other programs keep the parameters, those that are not named plainly: then this one takes them as they lie, whatever it would choose, so that nothing is converted
    between the two. Each is NUMBER:STRIDES:BLOCKS:OF, with the number among the arguments that are parameters, and sizes with x between them, as `raf.stored` has them. Where the library cannot compute
    on such blocks, the parameter lies as without the option.

    A parameter keeps its own layout if it, or anything computed with it, is used in another way too (read by a product, reshaped, returned as a gradient), if all blocks would have to be filled with zeros,
    or if the convolution has groups. A remark says so. Only for programs whose caller knows about `raf.stored`, the option `store-layouts` of `raf-cpu`.
  }];
  let options = [
    ListOption<"layouts", "layouts", "std::string", "Layouts in which other programs keep parameters">
  ];
  let statistics = [
    Statistic<"stored", "stored", "Arguments in blocks of the library">
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::raf::dnnl::DnnlDialect", "::mlir::tensor::TensorDialect"];
}

def PackWeightsPass : Pass<"raf-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Bring weights into the library's layout once for all ops that want it";
  let description = [{
    Products and convolutions of oneDNN copy their weights into a layout of the library each time they run: every convolution, and products where the weights lie transposed or in
    long rows. Where several ops of a function want the same weights in the same layout (the time steps of a recurrent net, a convolution that is applied to several images),
    one `dnnl.reorder` before the first makes it for all.

    Products copy in half the time of a reorder, so at least four must share it, and the matrix must have 8192 elements; of convolutions two. A convolution and the gradient of its input want different layouts.
  }];
  let statistics = [
    Statistic<"reorders", "reorders", "Weights packed">,
    Statistic<"shared", "shared", "Ops that use them">
  ];
  let dependentDialects = ["::mlir::raf::dnnl::DnnlDialect", "::mlir::tensor::TensorDialect"];
}

#endif // RAF_PASSES_DISPATCH_PASSES_TD
