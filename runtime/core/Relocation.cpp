// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/Relocation.h"

#include <cstring>
#include <elf.h>

using namespace raf::rt;

static_assert(uint16_t(Machine::X86_64) == EM_X86_64 && uint16_t(Machine::AArch64) == EM_AARCH64, "machines have the numbers of ELF");

std::optional<Machine> raf::rt::hostMachine() {
#if defined(__x86_64__)
  return Machine::X86_64;
#elif defined(__aarch64__)
  return Machine::AArch64;
#else
  return std::nullopt;
#endif
}

const char *raf::rt::machineName(Machine machine) { return machine == Machine::X86_64 ? "x86-64" : "AArch64"; }

namespace {

std::optional<RelocationKind> getKindX86(uint32_t type) {
  switch (type) {
  case R_X86_64_NONE:
    return RelocationKind{Target::Nothing, 0};
  case R_X86_64_64:
  case R_X86_64_PC64:
    return RelocationKind{Target::Symbol, 8};
  case R_X86_64_32:
  case R_X86_64_32S:
  case R_X86_64_PC32:
    return RelocationKind{Target::Symbol, 4};
  case R_X86_64_PLT32:
    return RelocationKind{Target::Call, 4};
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    return RelocationKind{Target::Entry, 4};
  default:
    return std::nullopt;
  }
}

std::optional<RelocationKind> getKindAArch64(uint32_t type) {
  switch (type) {
  case R_AARCH64_NONE:
    return RelocationKind{Target::Nothing, 0};
  case R_AARCH64_ABS64:
  case R_AARCH64_PREL64:
    return RelocationKind{Target::Symbol, 8};
  case R_AARCH64_ABS32:
  case R_AARCH64_PREL32:
  case R_AARCH64_LD_PREL_LO19:
  case R_AARCH64_ADR_PREL_LO21:
  case R_AARCH64_ADR_PREL_PG_HI21:
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_TSTBR14:
  case R_AARCH64_CONDBR19:
  case R_AARCH64_LDST8_ABS_LO12_NC:
  case R_AARCH64_LDST16_ABS_LO12_NC:
  case R_AARCH64_LDST32_ABS_LO12_NC:
  case R_AARCH64_LDST64_ABS_LO12_NC:
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return RelocationKind{Target::Symbol, 4};
  case R_AARCH64_JUMP26:
  case R_AARCH64_CALL26:
    return RelocationKind{Target::Call, 4};
  case R_AARCH64_ADR_GOT_PAGE:
  case R_AARCH64_LD64_GOT_LO12_NC:
    return RelocationKind{Target::Entry, 4};
  default:
    return std::nullopt;
  }
}

template <typename Number> void store(char *place, Number number) { std::memcpy(place, &number, sizeof number); }

/// Whether the number is one of so many bits.
bool fitsSigned(int64_t number, int bits) { return number >= -(int64_t(1) << (bits - 1)) && number < int64_t(1) << (bits - 1); }

bool store32(char *place, uint64_t value, bool isSigned) {
  store(place, static_cast<uint32_t>(value));
  return isSigned ? fitsSigned(static_cast<int64_t>(value), 32) : value <= UINT32_MAX;
}

bool applyX86(uint32_t type, char *place, uint64_t address, uint64_t value) {
  switch (type) {
  case R_X86_64_64:
    store(place, value);
    return true;
  case R_X86_64_PC64:
    store(place, value - address);
    return true;
  case R_X86_64_32:
    return store32(place, value, /*isSigned=*/false);
  case R_X86_64_32S:
    return store32(place, value, /*isSigned=*/true);
  default:
    return store32(place, value - address, /*isSigned=*/true);
  }
}

/// Puts the low bits of a number into an instruction.
void setBits(char *place, uint64_t number, int width, int position) {
  uint32_t instruction, mask = ((uint32_t(1) << width) - 1) << position;
  std::memcpy(&instruction, place, sizeof instruction);
  store(place, (instruction & ~mask) | (static_cast<uint32_t>(number << position) & mask));
}

/// The immediate of adr and adrp, which is in two parts.
bool setAdr(char *place, int64_t number) {
  setBits(place, static_cast<uint64_t>(number), 2, 29);
  setBits(place, static_cast<uint64_t>(number) >> 2, 19, 5);
  return fitsSigned(number, 21);
}

/// A distance in instructions.
bool setBranch(char *place, int64_t distance, int width, int position) {
  setBits(place, static_cast<uint64_t>(distance) >> 2, width, position);
  return distance % 4 == 0 && fitsSigned(distance / 4, width);
}

/// The offset in a page of a load or store of 2^scale bytes.
bool setOffset(char *place, uint64_t value, int scale) {
  uint64_t offset = value & 0xfff;
  setBits(place, offset >> scale, 12, 10);
  return offset % (uint64_t(1) << scale) == 0;
}

int64_t pageDistance(uint64_t address, uint64_t value) { return static_cast<int64_t>((value & ~uint64_t(0xfff)) - (address & ~uint64_t(0xfff))) / 4096; }

bool applyAArch64(uint32_t type, char *place, uint64_t address, uint64_t value) {
  auto distance = static_cast<int64_t>(value - address);
  switch (type) {
  case R_AARCH64_ABS64:
    store(place, value);
    return true;
  case R_AARCH64_PREL64:
    store(place, distance);
    return true;
  case R_AARCH64_ABS32:
    return store32(place, value, /*isSigned=*/false);
  case R_AARCH64_PREL32:
    return store32(place, static_cast<uint64_t>(distance), /*isSigned=*/true);
  case R_AARCH64_ADR_PREL_LO21:
    return setAdr(place, distance);
  case R_AARCH64_ADR_PREL_PG_HI21:
  case R_AARCH64_ADR_GOT_PAGE:
    return setAdr(place, pageDistance(address, value));
  case R_AARCH64_ADD_ABS_LO12_NC:
  case R_AARCH64_LDST8_ABS_LO12_NC:
    return setOffset(place, value, 0);
  case R_AARCH64_LDST16_ABS_LO12_NC:
    return setOffset(place, value, 1);
  case R_AARCH64_LDST32_ABS_LO12_NC:
    return setOffset(place, value, 2);
  case R_AARCH64_LDST64_ABS_LO12_NC:
  case R_AARCH64_LD64_GOT_LO12_NC:
    return setOffset(place, value, 3);
  case R_AARCH64_LDST128_ABS_LO12_NC:
    return setOffset(place, value, 4);
  case R_AARCH64_TSTBR14:
    return setBranch(place, distance, 14, 5);
  case R_AARCH64_CONDBR19:
  case R_AARCH64_LD_PREL_LO19:
    return setBranch(place, distance, 19, 5);
  default:
    return setBranch(place, distance, 26, 0);
  }
}

} // namespace

std::optional<RelocationKind> raf::rt::getRelocationKind(Machine machine, uint32_t type) {
  return machine == Machine::X86_64 ? getKindX86(type) : getKindAArch64(type);
}

bool raf::rt::applyRelocation(Machine machine, uint32_t type, char *place, uint64_t address, uint64_t value) {
  return machine == Machine::X86_64 ? applyX86(type, place, address, value) : applyAArch64(type, place, address, value);
}

void raf::rt::writeJump(Machine machine, char *place, uint64_t address, uint64_t entry) {
  if (machine == Machine::X86_64) {
    const unsigned char jump[] = {0xff, 0x25}; // jmp *distance(%rip)
    std::memcpy(place, jump, sizeof jump);
    store(place + 2, static_cast<int32_t>(entry - (address + 6)));
    return;
  }
  // adrp x16, page; ldr x16, [x16, offset]; br x16
  const uint32_t jump[] = {0x90000010, 0xf9400210, 0xd61f0200};
  std::memcpy(place, jump, sizeof jump);
  applyAArch64(R_AARCH64_ADR_PREL_PG_HI21, place, address, entry);
  applyAArch64(R_AARCH64_LDST64_ABS_LO12_NC, place + 4, address + 4, entry);
}
