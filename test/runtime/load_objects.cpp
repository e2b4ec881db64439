// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test_object_loader.py runs: links objects and calls, shows or damages them. The first argument says which.
#include "core/Error.h"
#include "core/ObjectLoader.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

using namespace raf::rt;

static int twice(int number) { return 2 * number; }

static void *resolve(const std::string &name) {
  if (name == "twice")
    return reinterpret_cast<void *>(twice);
  return name == "far_away" ? reinterpret_cast<void *>(uintptr_t(0x1234567890)) : nullptr;
}

static std::string readFile(const char *path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Prints the address and the bytes of what lies at a symbol.
static void show(const LoadedObjects &loaded, const char *symbol, int bytes) {
  auto *place = static_cast<const unsigned char *>(loaded.find(symbol));
  if (!place)
    throw Error(RAF_RT_INVALID, std::string("there is no symbol ") + symbol);
  std::printf("%s %llx ", symbol, static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(place)));
  for (int i = 0; i < bytes; ++i)
    std::printf("%02x", place[i]);
  std::printf("\n");
}

/// Loads the file with a few bytes changed; most of them are refused, and none may be read outside its bounds.
static int damage(const std::string &file, int count, Machine machine) {
  int refused = 0;
  std::mt19937 random(7);
  for (int i = 0; i < count; ++i) {
    std::string changed = file;
    if (i % 4 == 0)
      changed.resize(random() % file.size());
    for (int k = 0; k < 1 + i % 3 && !changed.empty(); ++k)
      changed[random() % changed.size()] ^= 1 << random() % 8;
    std::string exact(changed); // of its own allocation, so that a sanitizer sees its end
    exact.shrink_to_fit();
    try {
      LoadedObjects::load({exact}, resolve, machine);
    } catch (const Error &) {
      ++refused;
    }
  }
  return refused;
}

int main(int count, char **arguments) {
  std::string what = arguments[1];
  Machine machine = what == "show-aarch64" || what == "damage-aarch64" ? Machine::AArch64 : *hostMachine();
  try {
    if (what.rfind("damage", 0) == 0) {
      std::printf("%d\n", damage(readFile(arguments[2]), std::atoi(arguments[3]), machine));
      return 0;
    }
    // call OBJECT... | show SYMBOL:BYTES,... OBJECT...
    int first = what == "call" ? 2 : 3;
    std::vector<std::string> texts;
    for (int i = first; i < count; ++i)
      texts.push_back(readFile(arguments[i]));
    auto loaded = LoadedObjects::load({texts.begin(), texts.end()}, resolve, machine);
    if (what == "call") {
      void *start = loaded->find("start");
      std::printf("%d\n", start ? reinterpret_cast<int (*)(int)>(start)(20) : -1);
      return 0;
    }
    for (char *part = std::strtok(arguments[2], ","); part; part = std::strtok(nullptr, ",")) {
      std::string symbol(part, std::strchr(part, ':'));
      show(*loaded, symbol.c_str(), std::atoi(std::strchr(part, ':') + 1));
    }
    return 0;
  } catch (const Error &error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
}
