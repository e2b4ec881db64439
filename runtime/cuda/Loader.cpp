// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/Loader.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

using namespace raf::rt;
using namespace raf::rt::cuda;

namespace {

struct Known {
  const char *name, *file, *version; // `version`: the function that answers with a number; null where there is none
  const char *package;
  const char *purpose;
  bool standIn; // whether the package has one
};

constexpr Known kLibraries[] = {
    {"cuBLASLt", "libcublasLt.so.13", "cublasLtGetVersion", "nvidia-cublas", "matrix products", true},
    {"cuDNN", "libcudnn.so.9", "cudnnGetVersion", "nvidia-cudnn-cu13", "convolutions", true},
    {"NCCL", "libnccl.so.2", "ncclGetVersion", "nvidia-nccl-cu13", "training on several devices", true},
    {"NVTX", "libnvtx3interop.so.1", nullptr, "nvidia-nvtx", "names in the profiles of Nsight Systems", false},
};
constexpr const char *kDriverFile = "libcuda.so.1";

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result + "\"";
}

/// The folder of the runtime library, links resolved.
std::string ownFolder() {
  Dl_info info;
  char resolved[PATH_MAX];
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &info) || !info.dli_fname || !realpath(info.dli_fname, resolved))
    return "";
  std::string path = resolved;
  return path.substr(0, path.rfind('/'));
}

void appendVariable(std::vector<std::string> &folders, const char *name) {
  const char *value = std::getenv(name);
  std::istringstream stream(value ? value : "");
  for (std::string folder; std::getline(stream, folder, ':');)
    if (!folder.empty())
      folders.push_back(folder);
}

/// <packages>/nvidia/*/lib, where the wheels of CUDA's libraries put them.
void appendWheels(std::vector<std::string> &folders, const std::string &packages) {
  std::string root = packages + "/nvidia";
  DIR *directory = opendir(root.c_str());
  if (!directory)
    return;
  while (dirent *entry = readdir(directory))
    if (entry->d_name[0] != '.')
      folders.push_back(root + "/" + entry->d_name + "/lib");
  closedir(directory);
}

std::string versionText(int version, bool driver) {
  if (driver)
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  // cuBLAS 130100, cuDNN 91000, NCCL 22703: all two digits a part from the right, the patch level of one or two.
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

int libraryVersion(const Known &known, void *handle) {
  void *function = dlsym(handle, known.version);
  if (!function)
    return 0;
  if (std::strcmp(known.version, "ncclGetVersion") == 0) {
    int version = 0;
    return reinterpret_cast<int (*)(int *)>(function)(&version) == 0 ? version : 0;
  }
  return static_cast<int>(reinterpret_cast<std::size_t (*)()>(function)());
}

} // namespace

struct Libraries::State {
  std::mutex mutex;
  std::map<std::string, Library> opened;
  std::map<int, Home> homes;
  Driver driver;
  bool ready = false, nvtxReady = false;
  Nvtx nvtx;
};

std::string Home::because() const {
  std::lock_guard<std::mutex> lock(textMutex);
  return text;
}

void Home::lose(int64_t which, const std::string &why) {
  std::lock_guard<std::mutex> lock(textMutex);
  if (which <= lost)
    return;
  text = why;
  lost = which;
}

Home &Libraries::home(int ordinal) {
  std::lock_guard<std::mutex> lock(state->mutex);
  return state->homes[ordinal];
}

Libraries::Libraries(std::string flavour) : flavour(std::move(flavour)), state(new State) {}

Libraries &Libraries::of(const char *flavour) {
  std::string name = flavour ? flavour : "";
  if (name != "cuda" && name != "cuda-sim")
    throw Error(RAF_RT_INVALID, "unknown CUDA driver '" + name + "': expected cuda or cuda-sim");
  static std::mutex *mutex = new std::mutex;
  static auto *all = new std::map<std::string, Libraries *>;
  const char *path = std::getenv(name == "cuda" ? "RAF_CUDA_PATH" : "RAF_CUDA_SIM_PATH");
  std::lock_guard<std::mutex> lock(*mutex);
  Libraries *&libraries = (*all)[name + ":" + (path ? path : "")];
  if (!libraries)
    libraries = new Libraries(name);
  return *libraries;
}

std::vector<std::string> Libraries::folders() const {
  std::vector<std::string> result;
  std::string own = ownFolder();
  if (simulated()) {
    appendVariable(result, "RAF_CUDA_SIM_PATH");
    result.push_back(own + "/cuda_sim");
    return result;
  }
  appendVariable(result, "RAF_CUDA_PATH");
  // The runtime lies in <packages>/raf/_mlir/_mlir_libs.
  appendWheels(result, own + "/../../..");
  return result;
}

Libraries::Library Libraries::open(const std::string &file) const {
  Library library;
  for (const std::string &folder : folders()) {
    std::string path = folder + "/" + file;
    if (access(path.c_str(), F_OK) != 0)
      continue;
    library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle) {
      library.file = path;
      return library;
    }
    library.reason = dlerror();
  }
  if (!simulated())
    if ((library.handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) {
      library.file = file;
      return library;
    }
  if (library.reason.empty())
    library.reason = file + " was not found";
  return library;
}

const Libraries::Library &Libraries::library(const std::string &file) {
  std::lock_guard<std::mutex> lock(state->mutex);
  auto [entry, added] = state->opened.try_emplace(file);
  // One that was missing is looked for again: the user may have set the path meanwhile.
  if (added || !entry->second.handle)
    entry->second = open(file);
  return entry->second;
}

void *Libraries::symbol(const Library &library, const char *name) {
  if (!library.handle)
    throw Error(RAF_RT_UNSUPPORTED, flavour + ": " + library.reason);
  void *address = dlsym(library.handle, name);
  if (!address)
    throw Error(RAF_RT_UNSUPPORTED, flavour + ": " + library.file + " has no " + name +
                                        (simulated() ? "" : "; a newer version is needed (CUDA 12 or later)"));
  return address;
}

const Driver &Libraries::driver() {
  const Library &library = this->library(kDriverFile);
  std::lock_guard<std::mutex> lock(state->mutex);
  if (state->ready)
    return state->driver;
  if (!library.handle)
    throw Error(RAF_RT_UNSUPPORTED,
                simulated() ? "cuda-sim: the stand-in for the CUDA driver cannot be opened: " + library.reason
                            : "cuda: no NVIDIA driver was found (" + library.reason +
                                  "); install it, name its folder in RAF_CUDA_PATH, or use the target cuda-sim");
  Driver driver;
#define RAF_LOAD(name, parameters) driver.name = reinterpret_cast<decltype(driver.name)>(symbol(library, #name));
  RAF_CUDA_DRIVER(RAF_LOAD)
#undef RAF_LOAD
  driver.cuFuncGetParamInfo =
      reinterpret_cast<decltype(driver.cuFuncGetParamInfo)>(dlsym(library.handle, "cuFuncGetParamInfo"));
  driver.raf_sim_last_report =
      reinterpret_cast<decltype(driver.raf_sim_last_report)>(dlsym(library.handle, "raf_sim_last_report"));
  driver.raf_sim_last_module =
      reinterpret_cast<decltype(driver.raf_sim_last_module)>(dlsym(library.handle, "raf_sim_last_module"));
  CUresult result = driver.cuInit(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    throw Error(RAF_RT_UNSUPPORTED, flavour + ": the driver finds no NVIDIA GPU on this machine");
  if (result != CUDA_SUCCESS)
    throw Error(RAF_RT_UNSUPPORTED, flavour + ": the CUDA driver (" + library.file + ") does not start: " +
                                        errorText(driver, result));
  state->driver = driver;
  state->ready = true;
  return state->driver;
}

const Libraries::Nvtx &Libraries::nvtx() {
  std::lock_guard<std::mutex> lock(state->mutex);
  if (state->nvtxReady || simulated())
    return state->nvtx;
  state->nvtxReady = true;
  Library library = open("libnvtx3interop.so.1");
  if (!library.handle)
    return state->nvtx;
  Nvtx found{reinterpret_cast<decltype(Nvtx::push)>(dlsym(library.handle, "nvtxRangePushA")),
             reinterpret_cast<decltype(Nvtx::pop)>(dlsym(library.handle, "nvtxRangePop"))};
  if (found.push && found.pop)
    state->nvtx = found;
  return state->nvtx;
}

std::string raf::rt::cuda::errorText(const Driver &driver, CUresult result) {
  const char *name = nullptr, *text = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &text);
  return (name ? std::string(name) : "error " + std::to_string(result)) + (text ? std::string(" (") + text + ")" : "");
}

std::string Libraries::describe() {
  std::string driverJson = "null", devices, libraries, missing;
  auto add = [](std::string &list, const std::string &item) { list += (list.empty() ? "" : ", ") + item; };
  try {
    const Driver &api = driver();
    int version = 0, count = 0;
    api.cuDriverGetVersion(&version);
    driverJson = "{\"file\": " + quoted(library(kDriverFile).file) + ", \"version\": " + quoted(versionText(version, true)) + "}";
    api.cuDeviceGetCount(&count);
    for (int i = 0; i < count; ++i) {
      CUdevice device;
      char name[256] = "";
      std::size_t memory = 0;
      int major = 0, minor = 0, processors = 0;
      if (api.cuDeviceGet(&device, i) != CUDA_SUCCESS)
        continue;
      api.cuDeviceGetName(name, sizeof name, device);
      api.cuDeviceTotalMem_v2(&memory, device);
      api.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
      api.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
      api.cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
      add(devices, "{\"name\": " + quoted(name) + ", \"architecture\": " + quoted("sm_" + std::to_string(major * 10 + minor)) +
                       ", \"memory\": " + std::to_string(memory) + ", \"multiprocessors\": " + std::to_string(processors) + "}");
    }
    if (count == 0)
      add(missing, quoted("the driver finds no device"));
  } catch (const Error &error) {
    add(missing, quoted(error.message));
  }
  for (const Known &known : kLibraries) {
    if (simulated() && !known.standIn)
      continue;
    const Library &found = library(known.file);
    std::string entry = "null";
    if (found.handle)
      entry = "{\"file\": " + quoted(found.file) + ", \"version\": " +
              quoted(known.version ? versionText(libraryVersion(known, found.handle), false) : "3") + "}";
    else
      add(missing, quoted(std::string(known.name) + ": " + found.reason + "; " +
                          (simulated() ? "reinstall raf-compiler" : std::string("pip install ") + known.package) + " (for " +
                          known.purpose + ")"));
    add(libraries, quoted(known.name) + ": " + entry);
  }
  return "{\"driver\": " + driverJson + ", \"devices\": [" + devices + "], \"libraries\": {" + libraries + "}, \"missing\": [" +
         missing + "]}";
}
