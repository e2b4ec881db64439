// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/PlanCache.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace raf::rt;
using namespace raf::rt::cuda;

namespace {

constexpr char kMagic[] = "RAFPLAN2";

std::uint64_t hashOf(const std::string &bytes) {
  std::uint64_t hash = 1469598103934665603u;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// RAF's cache folder, by the rules of the Python package; empty where caching is off.
std::string cacheFolder() {
  if (const char *named = std::getenv("RAF_CACHE_DIR"))
    return std::strcmp(named, "0") == 0 ? "" : named;
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && base[0] == '/')
    return std::string(base) + "/raf";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/raf" : "";
}

bool makeFolders(const std::string &path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    std::string part = path.substr(0, at);
    if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
      return false;
    if (at == std::string::npos)
      return true;
  }
}

bool writeAll(int file, const std::string &content) {
  for (std::size_t done = 0; done < content.size();) {
    ssize_t count = write(file, content.data() + done, content.size() - done);
    if (count < 0 && errno != EINTR)
      return false;
    done += std::max<ssize_t>(count, 0);
  }
  return true;
}

} // namespace

PlanCache::PlanCache(Device &device, const std::string &libraryFile, const char *versionFunction, const std::vector<int64_t> &words, const std::string &form) {
  std::string folder = cacheFolder();
  if (folder.empty())
    return;
  const Libraries::Library &library = device.libraries().library(libraryFile);
  auto version = reinterpret_cast<std::size_t (*)()>(dlsym(library.handle, versionFunction));
  int driver = 0;
  device.driver().cuDriverGetVersion(&driver);
  const raf_rt_cuda_device &facts = device.properties();
  struct stat file {};
  stat(library.file.c_str(), &file);
  std::ostringstream text;
  text << "raf " << RAF_RT_VERSION << ' ' << libraryFile << ' ' << (version ? version() : 0) << ' ' << file.st_size << ' ' << file.st_mtime << ' ' << device.libraries().name() << ' ' << driver << " sm_" << facts.architecture << ' ' << facts.multiprocessors << ' '
       << facts.memory_bytes << ':';
  for (int64_t word : words)
    text << ' ' << word;
  text << ' ' << hex(hashOf(form));
  key = text.str();
  path = folder + "/plans/" + hex(hashOf(key));
}

std::string PlanCache::load() const {
  if (path.empty())
    return {};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  std::string content = bytes.str();
  // The magic, the key and its end, the payload, the hash of all that.
  std::string head = kMagic + key + '\n';
  if (!file || content.size() < head.size() + 16 || content.compare(0, head.size(), head) != 0)
    return {};
  std::string body = content.substr(0, content.size() - 16);
  return content.compare(body.size(), 16, hex(hashOf(body))) == 0 ? body.substr(head.size()) : std::string();
}

void PlanCache::store(const std::string &payload) const noexcept {
  if (path.empty())
    return;
  try {
    if (!makeFolders(path.substr(0, path.rfind('/'))))
      return;
    std::string content = kMagic + key + '\n' + payload, temporary = path + ".XXXXXX";
    content += hex(hashOf(content));
    // A file of this writer alone: other threads and processes may store the same plan.
    int file = mkstemp(temporary.data());
    if (file < 0)
      return;
    bool written = writeAll(file, content);
    written &= close(file) == 0;
    // Readers see the old file or the new one.
    if (!written || std::rename(temporary.c_str(), path.c_str()) != 0)
      unlink(temporary.c_str());
  } catch (const std::exception &) {
  }
}
