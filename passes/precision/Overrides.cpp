// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/precision/Overrides.h"

using namespace mlir;
using namespace mlir::raf;

LogicalResult Overrides::parse(ArrayRef<std::string> given, Location loc) {
  bool valid = true;
  for (StringRef text : given) {
    // From the right: a node's name may have the sign in it.
    auto [pattern, word] = text.rsplit('=');
    auto policy = llvm::StringSwitch<std::optional<CastPolicy>>(word)
                      .Case("f32", CastPolicy::keep)
                      .Case("compute", CastPolicy::compute)
                      .Case("follow", CastPolicy::follow)
                      .Default(std::nullopt);
    if (!policy || pattern.empty()) {
      valid = false;
      emitError(loc) << "raf-auto-cast: override must be <op or node>=f32|compute|follow, got '" << text << "'";
      continue;
    }
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
    if (!glob) {
      valid = false;
      emitError(loc) << "raf-auto-cast: override has a pattern that cannot be read, '" << pattern << "': " << llvm::toString(glob.takeError());
      continue;
    }
    items.push_back({pattern.str(), std::move(*glob), *policy, pattern.starts_with("raf.")});
  }
  return success(valid);
}

// The names of the nodes that an op comes from.
static bool matchesNode(const llvm::GlobPattern &glob, Location loc) {
  WalkResult walk = loc->walk([&](Location part) {
    auto name = dyn_cast<NameLoc>(part);
    return name && glob.match(name.getName().getValue()) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

std::optional<CastPolicy> Overrides::find(Operation *op) {
  std::optional<CastPolicy> found;
  for (Item &item : items)
    if (item.isOp ? item.glob.match(op->getName().getStringRef()) : matchesNode(item.glob, op->getLoc())) {
      item.used = true;
      found = item.policy;
    }
  return found;
}

LogicalResult Overrides::checkUsed(Location loc) const {
  bool valid = true;
  for (const Item &item : items)
    if (!item.used) {
      valid = false;
      emitError(loc) << "raf-auto-cast: override '" << item.pattern << "' matches no " << (item.isOp ? "op" : "source node") << " of the program that works on f32 tensors";
    }
  return success(valid);
}
