// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans as text: the engine, and the operation's descriptors attribute by attribute, from which it is made again.
#include "cuda_sim/cudnn/Backend.h"

#include <sstream>

using namespace raf::sim;
using namespace raf::sim::dnn;

namespace {

void write(std::ostream &out, const Descriptor &desc) {
  out << ' ' << static_cast<int>(desc.type) << ' ' << desc.attributes.size();
  for (const auto &[name, attribute] : desc.attributes) {
    out << ' ' << name << ' ' << static_cast<int>(attribute.type) << ' ' << attribute.count;
    if (attribute.type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
      for (std::int64_t i = 0; i < attribute.count; ++i)
        write(out, *attribute.as<Descriptor *>()[i]);
      continue;
    }
    out << ' ' << attribute.bytes.size();
    for (char byte : attribute.bytes)
      out << ' ' << static_cast<int>(byte);
  }
}

/// Descriptors made on the way, the outermost last.
struct Made {
  std::vector<Descriptor *> all;
  ~Made() {
    for (Descriptor *desc : all)
      delete desc;
  }

  Descriptor *read(std::istream &in) {
    int type = 0;
    std::size_t attributes = 0;
    if (!(in >> type >> attributes) || attributes > 64)
      return nullptr;
    auto *desc = new Descriptor{static_cast<cudnnBackendDescriptorType_t>(type), false, {}, {}, {}, {}, {}};
    all.push_back(desc);
    for (; attributes > 0; --attributes) {
      int name = 0, kind = 0;
      Attribute attribute{};
      if (!(in >> name >> kind >> attribute.count) || attribute.count < 1 || attribute.count > 64)
        return nullptr;
      attribute.type = static_cast<cudnnBackendAttributeType_t>(kind);
      if (attribute.type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        for (std::int64_t i = 0; i < attribute.count; ++i) {
          Descriptor *inner = read(in);
          if (!inner)
            return nullptr;
          auto *bytes = reinterpret_cast<const char *>(&inner);
          attribute.bytes.insert(attribute.bytes.end(), bytes, bytes + sizeof inner);
        }
      } else {
        std::size_t size = 0;
        if (!(in >> size) || size > 4096)
          return nullptr;
        for (int byte = 0; size > 0 && in >> byte; --size)
          attribute.bytes.push_back(static_cast<char>(byte));
      }
      desc->attributes[name] = attribute;
    }
    desc->final = finalize(*desc) == CUDNN_STATUS_SUCCESS;
    return desc->final ? desc : nullptr;
  }
};

} // namespace

std::string raf::sim::dnn::recipe(const Descriptor &operation) {
  std::ostringstream out;
  write(out, operation);
  return out.str();
}

std::string raf::sim::dnn::serialize(const Descriptor &plan) {
  return "{\"engine\": " + std::to_string(static_cast<int>(plan.engine.kind)) + ", \"operation\": \"" + plan.operation->recipe + "\"}";
}

bool raf::sim::dnn::restore(const std::string &text, Descriptor &plan) {
  std::istringstream in(text);
  std::string word;
  int engine = 0;
  char quote = 0;
  in >> word >> engine;
  in.ignore(1); // the comma
  if (!(in >> word >> quote) || word != "\"operation\":" || quote != '"')
    return false;
  Made made;
  Descriptor *operation = made.read(in);
  if (!operation || !operation->operation)
    return false;
  for (const Engine &known : enginesOf(*operation->operation))
    if (static_cast<int>(known.kind) == engine) {
      plan.operation = operation->operation;
      plan.engine = known;
      return true;
    }
  return false;
}
