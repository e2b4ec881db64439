// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-cpu="opt-level=0 libraries=dnnl" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORACLE
// RUN: raf-opt %s --raf-cpu="libraries=dnnl forbid=codegen profile=true" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: raf-opt %s --raf-cpu="libraries=dnnl skip=raf-fuse,raf-layout,raf-inplace" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=SKIP
// RUN: raf-opt %s --raf-cpu="libraries=dnnl widen=f16" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIDEN
// RUN: raf-opt %s --raf-cpu="libraries=dnnl widen=none" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: raf-opt %s --raf-cpu="widen=f16" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=NATIVE
// Without a library generated code is measured alone.
// RUN: not raf-opt %s --raf-cpu="measurements=times.json blocks=wide" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEASURED
// RUN: raf-opt %s --raf-cuda="chip=sim streams=3" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=STREAMS
// RUN: raf-opt %s --raf-cpu="memory-budget=4096" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROMISED
// RUN: raf-opt %s --raf-cuda="chip=sim memory-budget=4096" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROMISED
// RUN: raf-opt %s --raf-cuda="chip=sim" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=STREAM
// RUN: raf-opt %s --raf-cuda="chip=sim opt-level=0 libraries=cublas,cudnn prefer=cudnn" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE
// cuDNN's pools want channels last, and its attention goes before the generated one.
// RUN: raf-opt %s --raf-cuda="chip=sim libraries=cudnn prefer=cudnn" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PREFERRED
// RUN: raf-opt %s --raf-cuda="chip=sm_100 libraries=cudnn prefer=cudnn" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFCHIP
// RUN: raf-opt %s --raf-cuda="chip=sim simulate=sm_100 libraries=cudnn prefer=cudnn" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFCHIP
// RUN: raf-opt %s --raf-cuda="chip=sim libraries=cudnn" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=LISTED
// RUN: raf-opt %s --raf-cuda="chip=sim simulate=sm_90a" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARPGROUPS
// RUN: raf-opt %s --raf-cuda="chip=sm_90a" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARPGROUPS
// A simulated chip has the kernels of the chip, for as many multiprocessors.
// RUN: raf-opt %s --raf-cuda="chip=sim simulate=sm_120" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNITS
// RUN: raf-opt %s --raf-cuda="chip=sm_120" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNITS
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cuda{chip=sm_80 simulate=sm_90})" 2>&1 | FileCheck %s --check-prefix=NOTSIM
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cuda{chip=sim simulate=sim})" 2>&1 | FileCheck %s --check-prefix=SIMULATED
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cuda{streams=0})" 2>&1 | FileCheck %s --check-prefix=NOSTREAM
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cpu{skip=raf-fusion})" 2>&1 | FileCheck %s --check-prefix=NOSKIP
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cpu{memory-budget=4096 skip=raf-inplace})" 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cpu{memory-budget=4096 opt-level=0})" 2>&1 | FileCheck %s --check-prefix=UNSHARED
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cpu{no-such-option=1})" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not raf-opt %s --pass-pipeline="builtin.module(raf-cpu{opt-level=high})" 2>&1 | FileCheck %s --check-prefix=VALUE

// Level 0 is the oracle of the others: nothing is simplified, shared or in place, and no library is used whatever the options say.
// ORACLE-NOT: raf-simplify
// ORACLE-NOT: raf-dispatch
// ORACLE: raf-decompose-ops
// ORACLE: raf-convert-to-linalg{by-result=false views=false}
// ORACLE: raf-fuse{enable=false epilogues=false stages=true}
// ORACLE: raf-inplace{donate=true reuse=false}
// ORACLE-NOT: raf-schedule
// ORACLE-NOT: raf-elide-copies
// ORACLE-NOT: raf-merge-launches
// ORACLE: raf-plan-memory{share=false}
// ORACLE: raf-lower-host{device= profile=false}

// On devices too: attention becomes products and a softmax, sums stay whole.
// DEVICE-NOT: raf-simplify
// DEVICE-NOT: raf-layout
// DEVICE-NOT: raf-dispatch
// DEVICE-NOT: raf-tile-attention
// DEVICE: raf-decompose-ops{{.*}}only={raf.attention,raf.attention_grad,
// DEVICE-NOT: raf-dispatch
// DEVICE: raf-convert-to-linalg{by-result=true views=false}
// DEVICE-NOT: raf-split-reductions
// DEVICE: raf-fuse{enable=false
// DEVICE-NOT: raf-schedule
// DEVICE-NOT: raf-merge-launches
// DEVICE: raf-plan-memory{share=false}

// FULL: raf-simplify
// FULL: raf-merge-products{bytes-per-ns=20 flops-per-ns=200 launch-ns=1000}
// FULL: raf-layout
// FULL: raf-dispatch{chip= forbid={codegen} least-product=0 libraries={dnnl} library-relu=false measurements= questions=false tf32=false}
// FULL: raf-isolate-copies
// FULL: raf-fuse{enable=true epilogues=false stages=true}
// FULL: raf-inplace{donate=true reuse=false}
// FULL: raf-schedule{put-off=true}
// FULL: raf-inplace{donate=false reuse=true}
// FULL: raf-bufferize-host
// FULL-NEXT: raf-elide-copies
// FULL: raf-merge-launches{cache-bytes=2097152 launch-bytes=65536 slack-bytes=8192 slack-percent=0}
// FULL: raf-plan-memory{share=true}
// FULL: raf-lower-host{device= profile=true}

// SKIP: raf-simplify
// SKIP-NOT: raf-layout
// SKIP: raf-fuse{enable=false epilogues=false stages=true}
// SKIP: raf-inplace{donate=true reuse=false}
// SKIP-NEXT: raf-schedule
// SKIP-NEXT: raf-bufferize-host

// WIDEN: raf-widen-products{types={f16}}
// NATIVE-NOT: raf-widen-products
// NATIVE: raf-lower-host

// MEASURED: raf-dispatch{chip= least-product=0 libraries={codegen} library-relu=false measurements=times.json questions=false tf32=false}
// MEASURED: raf-tile-kernels{{.*}}blocks=wide

// STREAMS: raf-tile-attention
// STREAMS: raf-convert-to-linalg{by-result=true views=false}
// STREAMS: raf-split-reductions{bytes-per-ns=24 launch-ns=2000 units=108}
// STREAMS: raf-fuse{enable=true epilogues=true stages=false}
// STREAMS: raf-merge-launches{cache-bytes=33554432 launch-bytes=4194304 slack-bytes=0 slack-percent=3}
// STREAMS: raf-map-to-gpu
// STREAMS: raf-assign-streams{streams=3}
// STREAMS-NEXT: raf-check-streams
// STREAMS-NEXT: raf-lower-host{device=cuda-sim profile=false}
// STREAM-NOT: raf-assign-streams
// STREAM: raf-schedule{put-off=false}
// STREAM: raf-lower-host
// PREFERRED: raf-layout
// PREFERRED: raf-dispatch{{.*}}only={raf.attention,raf.attention_grad}
// PREFERRED: raf-tile-attention
// The simulated GPU has all that its stand-in of cuDNN knows, unless a chip is asked for.
// PREFERRED: raf-dispatch{chip= {{.*}}prefer={cudnn}
// OFCHIP: raf-dispatch{chip=sm_100 {{.*}}only={raf.attention,raf.attention_grad}
// OFCHIP: raf-dispatch{chip=sm_100 {{.*}}prefer={cudnn}
// LISTED-NOT: raf-layout
// LISTED: raf-dispatch{{.*}}only={raf.attention,raf.attention_grad}
// LISTED: raf-tile-attention
// WARPGROUPS: raf-map-to-gpu{tf32=false wgmma=true}
// UNITS: raf-split-reductions{{.*}} units=170}
// NOTSIM: error: simulate: 'sm_90' is for the chip sim, whose kernels it chooses; got chip sm_80
// SIMULATED: error: simulate: 'sim' is not known; expected one of sm_80, {{.*}}sm_90a, {{.*}}sm_120a
// NOSTREAM: error: streams: expected 1 to 64, got 0

// NOSKIP: error: skip: 'raf-fusion' is not an optimization that can be left out; those are raf-simplify, raf-constant-fold, raf-merge-products, raf-layout, raf-store-layouts, raf-pack-weights, raf-fuse, raf-schedule, raf-inplace, raf-elide-copies, raf-merge-launches

// What raf-rematerialize has promised is not spent on fewer launches.
// PROMISED: raf-schedule{put-off=true}
// PROMISED: raf-rematerialize{{{ *}}budget=4096
// PROMISED: raf-merge-launches{{{.*}}slack-bytes=0 slack-percent=0}

// BUDGET: error: memory-budget needs opt-level 1 or 2 and raf-inplace, which lets values share memory; got opt-level 2 without raf-inplace
// UNSHARED: error: memory-budget needs opt-level 1 or 2 and raf-inplace, which lets values share memory; got opt-level 0

// OPTION: error: <Pass-Options-Parser>: no such option no-such-option
// VALUE: error: an option has a value that it cannot take
// VALUE: failed to add `raf-cpu` with options `opt-level=high`
module {
}
