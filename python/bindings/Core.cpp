// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf._core: executables and the runtime. Needs none of MLIR's Python bindings.

#include "dialects/capi/Compile.h"
#include "runtime/include/raf_cuda.h"
#include "runtime/include/raf_runtime.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace nb = nanobind;

namespace {

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

std::string join(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &entry : list)
    text += (text.empty() ? "" : "\n") + entry;
  return text;
}

/// Raises raf.CompileError or raf.RuntimeError.
[[noreturn]] void raise(const char *kind, const std::vector<std::string> &messages) {
  nb::object type = nb::module_::import_("raf.errors").attr(kind);
  nb::object error = std::string(kind) == "CompileError" ? type(join(messages), messages) : type(join(messages));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void check(int64_t status, raf_rt_context *ctx = nullptr) {
  if (status != RAF_RT_OK)
    raise("RuntimeError", {raf_rt_last_error(ctx)});
}

class Executable {
public:
  explicit Executable(RafExecutable *handle) : handle(handle) {}
  ~Executable() { rafExecutableDestroy(handle); }
  Executable(const Executable &) = delete;

  static Executable *compile(nb::object module, const std::string &options) {
    Texts errors;
    MlirStringRef source = ref(module);
    RafExecutable *handle;
    {
      nb::gil_scoped_release release;
      handle = rafExecutableCompile(source, ref(options), Texts::add, &errors);
    }
    if (!handle)
      raise("CompileError", errors.list);
    return new Executable(handle); // Python owns it
  }

  static Executable *deserialize(nb::bytes bytes) {
    Texts errors;
    RafExecutable *handle = rafExecutableDeserialize(ref(nb::handle(bytes)), Texts::add, &errors);
    if (!handle)
      raise("CompileError", errors.list);
    return new Executable(handle); // Python owns it
  }

  nb::bytes serialize() const {
    Texts result;
    rafExecutableSerialize(handle, Texts::add, &result);
    return nb::bytes(result.list[0].data(), result.list[0].size());
  }

  std::string manifest() const {
    MlirStringRef text = rafExecutableManifest(handle);
    return std::string(text.data, text.length);
  }

  void bind(int64_t index, uintptr_t address) {
    Texts errors;
    if (!rafExecutableBind(handle, index, address, Texts::add, &errors))
      raise("RuntimeError", errors.list);
  }

  void run() {
    Texts errors;
    bool good;
    {
      nb::gil_scoped_release release;
      good = rafExecutableRun(handle, Texts::add, &errors);
    }
    if (!good)
      raise("RuntimeError", errors.list);
  }

  uintptr_t arenaAddress() const { return rafExecutableArenaAddress(handle); }
  int64_t arenaBytes() const { return rafExecutableArenaBytes(handle); }

  void profile(int64_t capacity) { check(raf_rt_profile_enable(context(), capacity), context()); }

  nb::tuple profileRecords(int64_t capacity) {
    if (capacity < 0 || capacity > 1 << 24)
      raise("RuntimeError", {"profile_records: capacity must be between 0 and " + std::to_string(1 << 24) + ", got " + std::to_string(capacity)});
    std::vector<raf_rt_profile_record> records(capacity);
    int64_t count = 0, lost = 0;
    check(raf_rt_profile_read(context(), records.data(), records.size(), &count, &lost), context());
    nb::list list;
    for (int64_t i = 0; i < count; ++i)
      list.append(nb::make_tuple(records[i].op_id, records[i].start_ns, records[i].end_ns, records[i].thread));
    return nb::make_tuple(list, lost);
  }

  std::vector<std::string> plans() {
    std::vector<std::string> list;
    while (const char *text = raf_rt_dnnl_describe(context(), list.size()))
      list.push_back(text);
    return list;
  }

private:
  raf_rt_context *context() const { return static_cast<raf_rt_context *>(rafExecutableContext(handle)); }

  RafExecutable *handle;
};

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

std::string info() {
  Texts build;
  rafBuildInfo(Texts::add, &build);
  return "{\"compiler\":" + build.list[0] + ",\"runtime\":" + raf_rt_info() + "}";
}

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
  nb::class_<Executable>(m, "Executable", "A compiled step: bind the addresses of its buffers, then run it.")
      .def_static("compile", &Executable::compile, nb::arg("module"), nb::arg("options"),
                  "Compile MLIR (bytecode or text) with the options of a JSON object; raf.CompileError has the diagnostics.")
      .def_static("deserialize", &Executable::deserialize, nb::arg("data"), "Load what serialize() returned; raf.CompileError says why it cannot run here.")
      .def("serialize", &Executable::serialize)
      .def_prop_ro("manifest", &Executable::manifest, "What it takes, gives and needs: a JSON object.")
      .def("bind", &Executable::bind, nb::arg("index"), nb::arg("address"),
           "Say where a buffer is: the arguments come first, then the results that are not aliased. The memory must outlive every run.")
      .def("run", &Executable::run, "Run one step, without the GIL.")
      .def_prop_ro("arena_address", &Executable::arenaAddress)
      .def_prop_ro("arena_bytes", &Executable::arenaBytes)
      .def("profile", &Executable::profile, nb::arg("capacity"), "Keep the newest records of ops (compile with \"profile\": true); 0 stops.")
      .def("profile_records", &Executable::profileRecords, nb::arg("capacity") = 1 << 16,
           "([(index into the manifest's ops, start, end, thread)], number of records that were lost), at most `capacity`, times in nanoseconds; forgets them. "
           "thread is -1 for an op and the member of the team for its part of a parallel loop.")
      .def_prop_ro("plans", &Executable::plans, "What each library plan runs, for people.");
  m.def("run_pipeline", &runPipeline, nb::arg("module"), nb::arg("pipeline"), "Run a pass pipeline over a module and return it as text.");
  m.def("explain", &explain, nb::arg("module"), nb::arg("options"),
        "Run the passes of Executable.compile and return what they say about their choices: a JSON object with `remarks` and the `manifest`.");
  m.def("info", &info, "Versions, CPU and libraries as a JSON object.");
  m.def("cuda_info", [](const std::string &driver) { return std::string(raf_rt_cuda_info(driver.c_str())); }, nb::arg("driver"),
        "What is found for the driver \"cuda\" or \"cuda-sim\", as a JSON object.");
  m.def("set_num_threads", [](int64_t threads) { check(raf_rt_set_num_threads(threads)); }, nb::arg("threads"));
  m.def("get_num_threads", [] { return raf_rt_get_num_threads(); });
  m.def("memory", &memory, "Bytes held by the runtime now and at most, and how many allocations it has made.");
  m.def("reset_memory_peak", [] { raf_rt_memory_reset_peak(); });
}
