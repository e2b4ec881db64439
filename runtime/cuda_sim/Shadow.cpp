// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who accessed what. Two accesses of which one is a write conflict unless one happens before the other: by the order of
// streams and events between operations, by barriers between the threads of a block.
#include "cuda_sim/Memory.h"
#include "cuda_sim/raf_cuda_sim.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace raf::sim {

bool allSet(const uint8_t *bits, uint64_t begin, int64_t count) {
  if (count <= 16) {
    uint32_t word;
    std::memcpy(&word, bits + begin / 8, 4);
    uint32_t mask = ((1u << count) - 1) << begin % 8;
    return (word & mask) == mask;
  }
  for (; count > 0 && begin % 8; ++begin, --count)
    if (!(bits[begin / 8] >> begin % 8 & 1))
      return false;
  const uint8_t *whole = bits + begin / 8, *end = whole + count / 8;
  if (std::any_of(whole, end, [](uint8_t byte) { return byte != 0xff; }))
    return false;
  return count % 8 == 0 || (*end & ((1 << count % 8) - 1)) == (1 << count % 8) - 1;
}

void setBits(uint8_t *bits, uint64_t begin, int64_t count, bool value) {
  auto change = [&](uint8_t &byte, unsigned mask) { byte = value ? byte | mask : byte & ~mask; };
  while (count > 0 && (begin % 8 || count < 8)) {
    int64_t part = std::min<int64_t>(8 - begin % 8, count);
    change(bits[begin / 8], ((1u << part) - 1) << begin % 8);
    begin += part;
    count -= part;
  }
  if (count <= 0)
    return;
  std::memset(bits + begin / 8, value ? 0xff : 0, count / 8);
  if (count % 8)
    change(bits[(begin + count) / 8], (1u << count % 8) - 1);
}

/// How many of four bytes a mask names.
static int countOf(unsigned mask) { return (0x4332322132212110ull >> mask * 4) & 15; }

static bool opBefore(uint32_t op, const Clock &clock) { return sequenceOf(op) == kMaxSequence || clock[streamOf(op)] >= sequenceOf(op); }

static uint16_t shortEpoch(uint32_t epoch) { return uint16_t(std::min<uint32_t>(epoch, 0xffff)); }
static uint8_t shortWarpEpoch(uint32_t epoch) { return uint8_t(std::min<uint32_t>(epoch, 0xff)); }

static bool inBlock(const Cell &cell, const Accessor &who) { return cell.thread - who.block * who.blockThreads < who.blockThreads; }

/// Whether all accesses that the cell stands for happen before what `who` does now.
static bool happensBefore(const Cell &cell, const Accessor &who) {
  if (cell.op != who.op)
    return opBefore(cell.op, *who.clock);
  if (cell.spread() == Spread::Grid)
    return false;
  if (cell.thread == who.thread && cell.spread() == Spread::Thread)
    return true;
  if (!inBlock(cell, who))
    return false;
  // A number of barriers that does not fit the cell counts as ordered: no report is better than a wrong one.
  if (cell.epoch < who.epoch || cell.epoch == 0xffff)
    return true;
  if (cell.spread() == Spread::Block || cell.thread / 32 != who.thread / 32)
    return false;
  return cell.warpEpoch < who.warpEpoch || cell.warpEpoch == 0xff;
}

static bool sameMoment(const Cell &cell, const Accessor &who) {
  return cell.op == who.op && cell.thread == who.thread && cell.spread() == Spread::Thread && cell.epoch == shortEpoch(who.epoch) &&
         cell.warpEpoch == shortWarpEpoch(who.warpEpoch);
}

/// Adds the access of `who` to those that the cell stands for. All its threads must have accessed all its bytes, or neighbours of less than four bytes would
/// seem to conflict; so of threads with different bytes only the latest is kept.
static void merge(Cell &cell, uint8_t mask, bool atomic, const Accessor &who) {
  Spread spread = Spread::Thread;
  if (sameMoment(cell, who)) {
    mask |= cell.mask();
  } else if (cell.op == who.op && (cell.mask() & mask) && !happensBefore(cell, who)) {
    Spread distance = !inBlock(cell, who) ? Spread::Grid : cell.thread / 32 != who.thread / 32 ? Spread::Block : Spread::Warp;
    spread = std::max(cell.spread(), distance);
    mask &= cell.mask();
  }
  cell = Cell{who.op, who.thread, shortEpoch(who.epoch), shortWarpEpoch(who.warpEpoch), Cell::pack(mask, spread, atomic)};
}

static bool load(Granule &granule, uint8_t mask, const Accessor &who, Traffic *traffic, Conflict &conflict) {
  const Cell &write = granule.write;
  if (write.op && (write.mask() & mask) && !happensBefore(write, who)) {
    conflict = {true, write};
    return false;
  }
  Cell &read = granule.read;
  // Most loads say nothing new. Blocks run one after the other, so the latest reader tells whether this block has the bytes.
  const bool again = read.op == who.op && (read.mask() & mask) == mask;
  if (again && inBlock(read, who) && (read.spread() >= Spread::Block ? read.epoch == shortEpoch(who.epoch) : sameMoment(read, who)))
    return true;
  if (traffic) {
    uint8_t written = write.op == who.op ? write.mask() : 0, known = (read.op == who.op ? read.mask() : 0) | written;
    traffic->distinctLoaded += countOf(mask & ~known);
    uint8_t here = (read.op == who.op && inBlock(read, who) ? read.mask() : 0) | (written && inBlock(write, who) ? written : 0);
    traffic->blockLoaded += countOf(mask & ~here);
  }
  if (read.op && read.op != who.op && !opBefore(read.op, *who.clock)) {
    // Another stream reads the same: a writer has to wait for both.
    uint32_t *slots = granule.otherReads;
    bool second = slots[0] && slots[0] != read.op && !opBefore(slots[0], *who.clock);
    slots[second] = read.op;
  }
  merge(read, mask, false, who);
  return true;
}

static bool store(Granule &granule, uint8_t mask, bool atomic, const Accessor &who, Traffic *traffic, Conflict &conflict) {
  const Cell &write = granule.write, &read = granule.read;
  if (write.op && (write.mask() & mask) && !(atomic && write.atomic()) && !happensBefore(write, who)) {
    conflict = {true, write};
    return false;
  }
  if (read.op && (read.mask() & mask) && !happensBefore(read, who)) {
    conflict = {false, read};
    return false;
  }
  for (uint32_t other : granule.otherReads)
    if (other && other != who.op && !opBefore(other, *who.clock)) {
      conflict = {false, Cell()};
      conflict.cell.op = other;
      return false;
    }
  if (traffic)
    traffic->distinctStored += countOf(mask & ~(write.op == who.op ? write.mask() : 0));
  if (atomic)
    merge(granule.write, mask, true, who);
  else {
    uint8_t own = sameMoment(write, who) && !write.atomic() ? write.mask() : 0;
    granule.write = Cell{who.op, who.thread, shortEpoch(who.epoch), shortWarpEpoch(who.warpEpoch), Cell::pack(mask | own, Spread::Thread, false)};
  }
  uint8_t left = read.mask() & ~mask;
  if (!left) {
    granule.read = Cell();
    granule.otherReads[0] = granule.otherReads[1] = 0;
  } else {
    granule.read.bits = (granule.read.bits & ~15) | left;
  }
  return true;
}

/// Whether one cell cannot say what it says and that `who` has accessed these bytes too.
static bool differs(const Cell &cell, uint8_t mask, const Accessor &who) { return cell.op && cell.mask() != mask && !sameMoment(cell, who); }

static Granule onlyByte(const Granule &granule, int byte) {
  Granule result{};
  uint8_t mask = uint8_t(1 << byte);
  for (auto [from, to] : {std::pair(&granule.write, &result.write), std::pair(&granule.read, &result.read)})
    if (from->mask() & mask) {
      *to = *from;
      to->bits = (from->bits & ~15) | mask;
    }
  if (granule.read.mask() & mask)
    std::copy_n(granule.otherReads, 2, result.otherReads);
  return result;
}

static std::array<Granule, 4> &splitUp(Granule &granule, SplitGranules &split) {
  if (granule.write.bits & Cell::kSplit)
    return split.bytes[granule.write.thread];
  if (split.free.empty()) {
    split.free.push_back(uint32_t(split.bytes.size()));
    split.bytes.emplace_back();
  }
  uint32_t place = split.free.back();
  split.free.pop_back();
  for (int byte = 0; byte < 4; ++byte)
    split.bytes[place][byte] = onlyByte(granule, byte);
  granule = Granule{};
  granule.write.bits = Cell::kSplit;
  granule.write.thread = place;
  return split.bytes[place];
}

static bool noteBytes(Granule &granule, SplitGranules &split, uint8_t mask, int kind, const Accessor &who, Traffic *traffic, Conflict &conflict) {
  std::array<Granule, 4> &bytes = splitUp(granule, split);
  for (int byte = 0; byte < 4; ++byte) {
    uint8_t own = uint8_t(1 << byte);
    if ((mask & own) && !(kind == RAF_SIM_LOAD ? load(bytes[byte], own, who, traffic, conflict) : store(bytes[byte], own, kind == RAF_SIM_ATOMIC, who, traffic, conflict)))
      return false;
  }
  // After a store of all four there is one accessor again.
  if (kind == RAF_SIM_STORE && mask == 15) {
    split.free.push_back(granule.write.thread);
    Cell write = bytes[0].write;
    write.bits |= 15;
    granule = Granule{};
    granule.write = write;
  }
  return true;
}

bool noteAccess(Granule *granule, SplitGranules &split, unsigned offset, int64_t bytes, int kind, const Accessor &who, Traffic *traffic, Conflict &conflict) {
  for (; bytes > 0; ++granule) {
    unsigned part = unsigned(std::min<int64_t>(4 - offset, bytes));
    uint8_t mask = uint8_t(((1u << part) - 1) << offset);
    if ((granule->write.bits & Cell::kSplit) || differs(granule->write, mask, who) || differs(granule->read, mask, who)) {
      if (!noteBytes(*granule, split, mask, kind, who, traffic, conflict))
        return false;
    } else if (!(kind == RAF_SIM_LOAD ? load(*granule, mask, who, traffic, conflict) : store(*granule, mask, kind == RAF_SIM_ATOMIC, who, traffic, conflict)))
      return false;
    bytes -= part;
    offset = 0;
  }
  return true;
}

} // namespace raf::sim
