// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings/Executable.h"

#include "runtime/include/raf_cuda.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace nb = nanobind;
using namespace raf::python;

void raf::python::raise(const char *kind, const std::vector<std::string> &messages) {
  std::string text;
  for (const std::string &message : messages)
    text += (text.empty() ? "" : "\n") + message;
  nb::object type = nb::module_::import_("raf.errors").attr(kind);
  nb::object error = std::string(kind) == "CompileError" ? type(text, messages) : type(text);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void raf::python::check(int64_t status, raf_rt_context *ctx) {
  if (status != RAF_RT_OK)
    raise("RuntimeError", {raf_rt_last_error(ctx)});
}

namespace {

/// What the runtime must know, out of the manifest. Its texts live as long as this.
struct Description {
  /// Throws what Python and nanobind throw where something is missing or of another type.
  explicit Description(const std::string &manifest) {
    nb::dict object = nb::cast<nb::dict>(nb::module_::import_("json").attr("loads")(manifest));
    nb::dict target = nb::cast<nb::dict>(object["target"]), memory = nb::cast<nb::dict>(object["memory"]);
    triple = nb::cast<std::string>(target["triple"]);
    device = target.contains("device") ? nb::cast<std::string>(target["device"]) : "";
    features = nb::cast<std::vector<std::string>>(target["features"]);
    abi = nb::cast<int64_t>(object["runtime_abi"]);
    arenaBytes = memory.contains("arena_bytes") ? nb::cast<int64_t>(memory["arena_bytes"]) : 0;
    numThreads = object.contains("num_threads") ? nb::cast<int64_t>(object["num_threads"]) : 0;
    for (nb::handle argument : nb::cast<nb::list>(object["args"]))
      add(nb::cast<nb::dict>(argument), /*written=*/false);
    size_t arguments = buffers.size();
    for (nb::handle entry : nb::cast<nb::list>(object["results"])) {
      nb::dict result = nb::cast<nb::dict>(entry);
      nb::object alias = result.contains("alias") ? nb::object(result["alias"]) : nb::none();
      if (int64_t index = alias.is_none() ? -1 : nb::cast<int64_t>(alias); index >= 0 && index < static_cast<int64_t>(arguments))
        buffers[index].written = 1;
      else
        add(result, /*written=*/true);
    }
    for (size_t i = 0; i < buffers.size(); ++i)
      buffers[i].name = names[i].c_str();
    for (const std::string &feature : features)
      featureNames.push_back(feature.c_str());
  }

  std::string triple, device;
  std::vector<std::string> features, names;
  std::vector<const char *> featureNames;
  std::vector<raf_rt_buffer> buffers;
  int64_t abi = 0, arenaBytes = 0, numThreads = 0;

private:
  void add(const nb::dict &entry, bool written) {
    std::string dtype = nb::cast<std::string>(entry["dtype"]);
    int64_t bits = dtype == "index" ? 64 : std::atoll(dtype.c_str() + std::min(dtype.find_first_of("0123456789"), dtype.size()));
    if (bits < 1)
      throw nb::value_error(("an element type that is not known: " + dtype).c_str());
    int64_t element = std::max<int64_t>(bits / 8, 1), bytes = element;
    for (nb::handle dim : nb::cast<nb::list>(entry["shape"]))
      bytes *= nb::cast<int64_t>(dim);
    names.push_back(nb::cast<std::string>(entry["name"]));
    // Kernels of a device access 16 bytes at once.
    buffers.push_back({nullptr, bytes, device.empty() ? element : 16, written});
  }
};

Description describe(const std::string &manifest) {
  try {
    return Description(manifest);
  } catch (nb::python_error &error) {
    // An interrupt during the compilation before it is raised here.
    if (!error.matches(PyExc_Exception))
      throw;
    std::string what = error.value().is_valid() ? nb::cast<std::string>(nb::str(error.value())) : error.what();
    raise("CompileError", {"the manifest of the executable is incomplete (" + what + ")"});
  } catch (const std::exception &error) {
    raise("CompileError", {std::string("the manifest of the executable is incomplete (") + error.what() + ")"});
  }
}

// The serialized form: the magic, the manifest, the number of objects and the objects, the same for images with what they are (texts are behind their lengths), and a checksum of all that. Numbers are of the machine
// that made it, and the triple in the manifest says which that is.
constexpr std::string_view kMagic = "RAFX0004";

/// Of words of 8 bytes, for it is made over megabytes at each start.
uint64_t checksum(std::string_view text) {
  constexpr uint64_t kPrime = 0x9e3779b97f4a7c15;
  uint64_t sum = text.size(), word;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 29;
  }
  for (char letter : text)
    sum = (sum ^ static_cast<unsigned char>(letter)) * kPrime;
  return sum;
}

void appendNumber(std::string &text, uint64_t number) { text.append(reinterpret_cast<const char *>(&number), sizeof number); }

void appendText(std::string &text, const std::string &part) {
  appendNumber(text, part.size());
  text += part;
}

bool takeNumber(std::string_view &bytes, uint64_t &number) {
  if (bytes.size() < sizeof number)
    return false;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return true;
}

bool takeText(std::string_view &bytes, std::string &text) {
  uint64_t size;
  if (!takeNumber(bytes, size) || bytes.size() < size)
    return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

} // namespace

Executable::Executable(Parts given) : parts(std::move(given)) {
  Description description = describe(parts.manifest);
  std::vector<raf_rt_bytes> objects;
  for (const std::string &object : parts.objects)
    objects.push_back({object.data(), static_cast<int64_t>(object.size())});
  std::vector<raf_rt_bytes> images;
  for (const auto &[about, image] : parts.images)
    images.push_back({image.data(), static_cast<int64_t>(image.size())});
  raf_rt_program program = {};
  program.device = description.device.empty() ? nullptr : description.device.c_str();
  program.images = images.data();
  program.num_images = static_cast<int64_t>(images.size());
  program.abi_version = description.abi;
  program.triple = description.triple.c_str();
  program.features = description.featureNames.data();
  program.num_features = static_cast<int64_t>(description.featureNames.size());
  program.objects = objects.data();
  program.num_objects = static_cast<int64_t>(objects.size());
  program.buffers = description.buffers.data();
  program.num_buffers = static_cast<int64_t>(description.buffers.size());
  program.arena_bytes = bytesOfArena = description.arenaBytes;
  program.num_threads = description.numThreads;
  raf_rt_executable *loaded = nullptr;
  int64_t status;
  {
    nb::gil_scoped_release release;
    status = raf_rt_executable_load(&program, &loaded);
  }
  if (status != RAF_RT_OK)
    raise("CompileError", {std::string("error: ") + raf_rt_last_error(nullptr)});
  handle.reset(loaded);
}

std::unique_ptr<Executable> Executable::load(const std::string &manifest, const std::vector<nb::bytes> &objects, const Images &images) {
  Parts parts{manifest, {}, {}};
  for (const nb::bytes &object : objects)
    parts.objects.emplace_back(object.c_str(), object.size());
  for (const auto &[about, image] : images)
    parts.images.emplace_back(about, std::string(image.c_str(), image.size()));
  return std::make_unique<Executable>(std::move(parts));
}

std::unique_ptr<Executable> Executable::deserialize(nb::bytes data) {
  std::string_view bytes(data.c_str(), data.size()), rest = bytes;
  if (rest.substr(0, kMagic.size()) != kMagic)
    raise("CompileError", {"error: not an executable of this version of RAF: expected it to start with " + std::string(kMagic)});
  rest.remove_prefix(kMagic.size());
  Parts parts;
  uint64_t count = 0, sum = 0;
  bool whole = takeText(rest, parts.manifest) && takeNumber(rest, count);
  for (uint64_t i = 0; whole && i < count; ++i)
    whole = takeText(rest, parts.objects.emplace_back());
  whole = whole && takeNumber(rest, count);
  for (uint64_t i = 0; whole && i < count; ++i) {
    auto &[about, image] = parts.images.emplace_back();
    whole = takeText(rest, about) && takeText(rest, image);
  }
  if (!whole || !takeNumber(rest, sum) || !rest.empty() || sum != checksum(bytes.substr(0, bytes.size() - sizeof sum)))
    raise("CompileError", {"error: the executable is damaged"});
  return std::make_unique<Executable>(std::move(parts));
}

nb::bytes Executable::serialize() const {
  std::string text(kMagic);
  appendText(text, parts.manifest);
  appendNumber(text, parts.objects.size());
  for (const std::string &object : parts.objects)
    appendText(text, object);
  appendNumber(text, parts.images.size());
  for (const auto &[about, image] : parts.images) {
    appendText(text, about);
    appendText(text, image);
  }
  appendNumber(text, checksum(text));
  return nb::bytes(text.data(), text.size());
}

std::vector<nb::bytes> Executable::objects() const {
  std::vector<nb::bytes> list;
  for (const std::string &object : parts.objects)
    list.emplace_back(object.data(), object.size());
  return list;
}

Executable::Images Executable::images() const {
  Images list;
  for (const auto &[about, image] : parts.images)
    list.emplace_back(about, nb::bytes(image.data(), image.size()));
  return list;
}

static void copy(int64_t (*function)(raf_rt_context *, void *, const void *, int64_t), raf_rt_context *ctx, uintptr_t target, uintptr_t source, int64_t bytes) {
  int64_t status;
  {
    nb::gil_scoped_release release;
    status = function(ctx, reinterpret_cast<void *>(target), reinterpret_cast<const void *>(source), bytes);
  }
  check(status, ctx);
}

void Executable::upload(uintptr_t target, uintptr_t source, int64_t bytes) { ::copy(raf_rt_cuda_upload, context(), target, source, bytes); }
void Executable::download(uintptr_t target, uintptr_t source, int64_t bytes) { ::copy(raf_rt_cuda_download, context(), target, source, bytes); }

void Executable::prefetch(uintptr_t target, uintptr_t source, int64_t bytes) { ::copy(raf_rt_cuda_prefetch, context(), target, source, bytes); }
void Executable::copy(uintptr_t target, uintptr_t source, int64_t bytes) { ::copy(raf_rt_cuda_copy, context(), target, source, bytes); }
void Executable::waitFor(uintptr_t stream) { check(raf_rt_cuda_wait_for(context(), reinterpret_cast<void *>(stream)), context()); }
void Executable::letWait(uintptr_t stream) { check(raf_rt_cuda_let_wait(context(), reinterpret_cast<void *>(stream)), context()); }
void Device::waitFor(uintptr_t stream) { check(raf_rt_cuda_wait_for(ctx, reinterpret_cast<void *>(stream)), ctx); }

void Device::letWait(uintptr_t stream) { check(raf_rt_cuda_let_wait(ctx, reinterpret_cast<void *>(stream)), ctx); }

nb::tuple Device::locate(uintptr_t address) {
  int64_t number = 0, bytes = 0;
  check(raf_rt_cuda_locate(ctx, reinterpret_cast<const void *>(address), &number, &bytes), ctx);
  return nb::make_tuple(number, bytes);
}

Device::Device(const std::string &driver, int64_t number) {
  check(raf_rt_context_create(&ctx));
  if (raf_rt_cuda_open(ctx, driver.c_str(), number)) {
    std::string message = raf_rt_last_error(ctx);
    raf_rt_context_destroy(ctx);
    raise("RuntimeError", {message});
  }
}

uintptr_t Device::alloc(int64_t bytes) {
  void *address = nullptr;
  check(raf_rt_cuda_alloc(ctx, bytes, &address), ctx);
  return reinterpret_cast<uintptr_t>(address);
}

void Device::free(uintptr_t address) { check(raf_rt_cuda_free(ctx, reinterpret_cast<void *>(address)), ctx); }
void Device::upload(uintptr_t target, uintptr_t source, int64_t bytes) { copy(raf_rt_cuda_upload, ctx, target, source, bytes); }
void Device::download(uintptr_t target, uintptr_t source, int64_t bytes) { copy(raf_rt_cuda_download, ctx, target, source, bytes); }
void Device::synchronize() { check(raf_rt_cuda_synchronize(ctx), ctx); }

static nb::dict memoryOf(raf_rt_context *ctx) {
  raf_rt_memory_stats stats;
  check(raf_rt_cuda_memory(ctx, &stats), ctx);
  nb::dict result;
  result["current_bytes"] = stats.current_bytes;
  result["peak_bytes"] = stats.peak_bytes;
  result["allocations"] = stats.allocations;
  return result;
}

nb::dict Device::memory() { return memoryOf(ctx); }
nb::dict Executable::deviceMemory() { return memoryOf(context()); }

void Executable::bind(int64_t index, uintptr_t address) { check(raf_rt_executable_bind(handle.get(), index, address)); }

void Executable::run() {
  int64_t status;
  {
    nb::gil_scoped_release release;
    status = raf_rt_executable_run(handle.get());
  }
  check(status);
  ++countOfRuns;
}

void Executable::profile(int64_t capacity) { check(raf_rt_profile_enable(context(), capacity), context()); }

nb::tuple Executable::profileRecords(int64_t capacity) {
  if (capacity < 0 || capacity > 1 << 24)
    raise("RuntimeError", {"profile_records: capacity must be between 0 and " + std::to_string(1 << 24) + ", got " + std::to_string(capacity)});
  std::vector<raf_rt_profile_record> records(capacity);
  int64_t count = 0, lost = 0;
  check(raf_rt_profile_read(context(), records.data(), static_cast<int64_t>(records.size()), &count, &lost), context());
  nb::list list;
  for (int64_t i = 0; i < count; ++i)
    list.append(nb::make_tuple(records[i].op_id, records[i].start_ns, records[i].end_ns, records[i].thread));
  return nb::make_tuple(list, lost);
}

nb::dict Executable::deviceCounts() const {
  raf_rt_cuda_counts counts;
  check(raf_rt_cuda_count(context(), &counts), context());
  nb::dict result;
  result["launches"] = counts.launches;
  result["plans"] = counts.plans;
  result["captures"] = counts.captures;
  result["replays"] = counts.replays;
  result["prefetches"] = counts.prefetches;
  return result;
}

std::vector<std::string> Executable::plans() const {
  std::vector<std::string> list;
  auto describe = parts.images.empty() ? raf_rt_dnnl_describe : raf_rt_cuda_describe;
  while (const char *text = describe(context(), static_cast<int64_t>(list.size())))
    list.push_back(text);
  return list;
}
