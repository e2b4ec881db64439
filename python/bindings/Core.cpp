// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf._core: executables and the runtime, and with RAF_WITH_COMPILER the compiler. Needs none of MLIR's Python bindings.

#include "bindings/Executable.h"

#if RAF_WITH_COMPILER
#include "dialects/capi/Compile.h"
#endif
#include "runtime/include/raf_cuda.h"

#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace nb = nanobind;
using namespace raf::python;

namespace {

#if RAF_WITH_COMPILER

MlirStringRef ref(const std::string &text) { return mlirStringRefCreate(text.data(), text.size()); }

/// bytes or str.
MlirStringRef ref(nb::handle object) {
  if (PyBytes_Check(object.ptr()))
    return mlirStringRefCreate(PyBytes_AS_STRING(object.ptr()), PyBytes_GET_SIZE(object.ptr()));
  Py_ssize_t size = 0;
  const char *text = PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), &size) : nullptr;
  if (!text) {
    PyErr_Clear();
    throw nb::type_error("expected bytes or str");
  }
  return mlirStringRefCreate(text, size);
}

struct Texts {
  std::vector<std::string> list;
  static void add(MlirStringRef text, void *user) { static_cast<Texts *>(user)->list.emplace_back(text.data, text.length); }
};

struct Compilation : Texts {
  Parts parts;
  static void addPart(RafPartKind kind, MlirStringRef about, MlirStringRef bytes, void *user) {
    Parts &parts = static_cast<Compilation *>(user)->parts;
    std::string text(bytes.data, bytes.length);
    if (kind == RafManifest)
      parts.manifest = std::move(text);
    else if (kind == RafObject)
      parts.objects.push_back(std::move(text));
    else
      parts.images.emplace_back(std::string(about.data, about.length), std::move(text));
  }
};

Parts compileParts(nb::object module, const std::string &options) {
  Compilation made;
  MlirStringRef source = ref(module);
  bool good;
  {
    nb::gil_scoped_release release;
    good = rafCompile(source, ref(options), Compilation::addPart, Texts::add, &made);
#if defined(__GLIBC__)
    malloc_trim(0); // what the compiler has freed: the steps that follow do not need it
#endif
  }
  if (!good)
    raise("CompileError", made.list);
  return std::move(made.parts);
}

struct Images {
  Texts errors;
  std::vector<std::pair<std::string, std::string>> all;
  static void add(MlirStringRef kind, MlirStringRef bytes, void *user) {
    static_cast<Images *>(user)->all.emplace_back(std::string(kind.data, kind.length), std::string(bytes.data, bytes.length));
  }
  static void addError(MlirStringRef text, void *user) { Texts::add(text, &static_cast<Images *>(user)->errors); }
};

nb::list compileImages(nb::object module, const std::string &options) {
  Images images;
  MlirStringRef source = ref(module);
  bool good;
  {
    nb::gil_scoped_release release;
    good = rafCompileImages(source, ref(options), Images::add, Images::addError, &images);
  }
  if (!good)
    raise("CompileError", images.errors.list);
  nb::list result;
  for (const auto &[kind, bytes] : images.all)
    result.append(nb::make_tuple(kind, nb::bytes(bytes.data(), bytes.size())));
  return result;
}

/// One list for both: the errors, or the result if there were none.
using TextToText = bool (*)(MlirStringRef, MlirStringRef, RafText, RafText, void *);

std::string transform(TextToText function, nb::object module, const std::string &how) {
  Texts texts;
  MlirStringRef source = ref(module);
  bool good;
  {
    nb::gil_scoped_release release;
    good = function(source, ref(how), Texts::add, Texts::add, &texts);
  }
  if (!good)
    raise("CompileError", texts.list);
  return texts.list.back();
}

std::string runPipeline(nb::object module, const std::string &pipeline) { return transform(rafRunPipeline, module, pipeline); }
std::string explain(nb::object module, const std::string &options) { return transform(rafExplain, module, options); }

std::string buildInfo() {
  Texts build;
  rafBuildInfo(Texts::add, &build);
  return build.list[0];
}

#else

[[noreturn]] void refuse() { raise("CompileError", {"this build of RAF has only the runtime, not the compiler (RAF_BUILD_COMPILER=OFF): it loads and runs .rafx files"}); }

Parts compileParts(nb::object, const std::string &) { refuse(); }
nb::list compileImages(nb::object, const std::string &) { refuse(); }
std::string runPipeline(nb::object, const std::string &) { refuse(); }
std::string explain(nb::object, const std::string &) { refuse(); }
std::string buildInfo() { return "null"; }

#endif

std::unique_ptr<Executable> compile(nb::object module, const std::string &options) { return std::make_unique<Executable>(compileParts(module, options)); }

nb::tuple compileOnly(nb::object module, const std::string &options) {
  Parts parts = compileParts(module, options);
  nb::list objects, images;
  for (const std::string &object : parts.objects)
    objects.append(nb::bytes(object.data(), object.size()));
  for (const auto &[about, image] : parts.images)
    images.append(nb::make_tuple(about, nb::bytes(image.data(), image.size())));
  return nb::make_tuple(parts.manifest, objects, images);
}

std::string info() { return "{\"compiler\":" + buildInfo() + ",\"runtime\":" + raf_rt_info() + "}"; }

nb::dict memory() {
  raf_rt_memory_stats stats;
  check(raf_rt_memory(&stats));
  nb::dict result;
  result["current_bytes"] = stats.current_bytes;
  result["peak_bytes"] = stats.peak_bytes;
  result["allocations"] = stats.allocations;
  return result;
}

} // namespace

NB_MODULE(_core, m) {
  m.doc() = "Executables and the runtime of RAF";
  m.attr("has_compiler") = bool(RAF_WITH_COMPILER);
  nb::class_<Executable>(m, "Executable", "A compiled step: bind the addresses of its buffers, then run it.")
      .def_static("compile", &compile, nb::arg("module"), nb::arg("options"),
                  "Compile MLIR (bytecode or text) with the options of a JSON object; raf.CompileError has the diagnostics.")
      .def_static("deserialize", &Executable::deserialize, nb::arg("data"), "Load what serialize() returned; raf.CompileError says why it cannot run here.")
      .def_static("load", &Executable::load, nb::arg("manifest"), nb::arg("objects"), nb::arg("images") = Executable::Images(), "Load the parts of an executable; raf.CompileError says why it cannot run here.")
      .def("serialize", &Executable::serialize)
      .def_prop_ro("manifest", &Executable::manifest, "What it takes, gives and needs: a JSON object.")
      .def_prop_ro("objects", &Executable::objects, "The object files.")
      .def_prop_ro("images", &Executable::images, "Kernels of a device: [(\"kind target\", bytes)].")
      .def("upload", &Executable::upload, nb::arg("target"), nb::arg("source"), nb::arg("bytes"), "From the host to the device, in order with the steps.")
      .def("download", &Executable::download, nb::arg("target"), nb::arg("source"), nb::arg("bytes"), "From the device to the host, after all steps.")
      .def("prefetch", &Executable::prefetch, nb::arg("target"), nb::arg("source"), nb::arg("bytes"), "As upload, beside the latest step, which must not use the target.")
      .def("copy", &Executable::copy, nb::arg("target"), nb::arg("source"), nb::arg("bytes"), "From one place of the device to another, in order with the steps.")
      .def("wait_for", &Executable::waitFor, nb::arg("stream"), "Its work from now on waits for what another library has enqueued on its stream so far.")
      .def("let_wait", &Executable::letWait, nb::arg("stream"), "What another library enqueues on its stream from now on waits for the executable's work so far.")
      .def_prop_ro("stream", &Executable::stream, "The stream of the steps; 0 without a device.")
      .def("bind", &Executable::bind, nb::arg("index"), nb::arg("address"),
           "Say where a buffer is: the arguments come first, then the results that are not aliased. The memory must outlive every run.")
      .def("run", &Executable::run, "Run one step, without the GIL.")
      .def_prop_ro("runs", &Executable::runs, "How many runs did not fail, also those that an interrupt was raised after.")
      .def_prop_ro("arena_address", &Executable::arenaAddress)
      .def_prop_ro("arena_bytes", &Executable::arenaBytes)
      .def("profile", &Executable::profile, nb::arg("capacity"), "Keep the newest records of ops (compile with \"profile\": true); 0 stops.")
      .def("profile_records", &Executable::profileRecords, nb::arg("capacity") = 1 << 16,
           "([(index into the manifest's ops, start, end, thread)], number of records that were lost), at most `capacity`, times in nanoseconds; forgets them. "
           "thread is -1 for an op and the member of the team for its part of a parallel loop.")
      .def_prop_ro("plans", &Executable::plans, "What each library plan runs, for people.")
      .def_prop_ro("device_memory", &Executable::deviceMemory, "Bytes of its device that it holds beside what is bound: the arena, constants.")
      .def_prop_ro("device_counts", &Executable::deviceCounts, "Kernels launched and plans executed one by one, graphs captured and replayed so far.");
  nb::class_<Device>(m, "Device", "A CUDA device, or its stand-in \"cuda-sim\": the memory that executables for it share.")
      .def(nb::init<const std::string &, int64_t>(), nb::arg("driver"), nb::arg("number") = 0, "Opens it; raf.RuntimeError says what is missing.")
      .def("alloc", &Device::alloc, nb::arg("bytes"))
      .def("free", &Device::free, nb::arg("address"))
      .def("upload", &Device::upload, nb::arg("target"), nb::arg("source"), nb::arg("bytes"))
      .def("download", &Device::download, nb::arg("target"), nb::arg("source"), nb::arg("bytes"))
      .def("synchronize", &Device::synchronize)
      .def("wait_for", &Device::waitFor, nb::arg("stream"))
      .def("let_wait", &Device::letWait, nb::arg("stream"))
      .def_prop_ro("stream", &Device::stream)
      .def_prop_ro("lost", &Device::isLost, "Whether a kernel has failed on it: nothing works there until it is opened again.")
      .def("locate", &Device::locate, nb::arg("address"), "(number of the device, bytes to the end of the allocation or -1) of an address; raf.RuntimeError for those of no device.")
      .def_prop_ro("memory", &Device::memory);
  m.def(
      "dlpack",
      [](uintptr_t address, const std::vector<size_t> &shape, int code, int bits, std::pair<int, int> device, nb::object owner) {
        nb::dlpack::dtype type{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
        return nb::cast(nb::ndarray<>(reinterpret_cast<void *>(address), shape.size(), shape.data(), owner, nullptr, type, device.first, device.second));
      },
      nb::arg("address"), nb::arg("shape"), nb::arg("code"), nb::arg("bits"), nb::arg("device"), nb::arg("owner"), "A DLPack capsule of C-contiguous memory that the owner keeps.");
  m.def("compile_parts", &compileOnly, nb::arg("module"), nb::arg("options"),
        "As Executable.compile, but nothing is loaded: (manifest, object files, [(\"kind target\", image)]), which Executable.load takes.");
  m.def("run_pipeline", &runPipeline, nb::arg("module"), nb::arg("pipeline"), "Run a pass pipeline over a module and return it as text.");
  m.def("compile_images", &compileImages, nb::arg("module"), nb::arg("options"),
        "Run the pipeline of the options over a module and compile its kernels for a device: a list of (kind, image).");
  m.def("explain", &explain, nb::arg("module"), nb::arg("options"),
        "Run the passes of Executable.compile and return what they say about their choices: a JSON object with `remarks` and the `manifest`.");
  m.def("info", &info, "Versions, CPU and libraries as a JSON object; its compiler is null in a build without one.");
  m.def("cuda_info", [](const std::string &driver) { return std::string(raf_rt_cuda_info(driver.c_str())); }, nb::arg("driver"),
        "What is found for the driver \"cuda\" or \"cuda-sim\", as a JSON object.");
  m.def("set_num_threads", [](int64_t threads) { check(raf_rt_set_num_threads(threads)); }, nb::arg("threads"));
  m.def("get_num_threads", [] { return raf_rt_get_num_threads(); });
  m.def("memory", &memory, "Bytes held by the runtime now and at most, and how many allocations it has made.");
  m.def("reset_memory_peak", [] { raf_rt_memory_reset_peak(); });
}
