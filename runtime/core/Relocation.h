// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The relocations of ELF objects that position-independent code of the small code model has, for the machines that RAF generates code for.
#ifndef RAF_RUNTIME_CORE_RELOCATION_H
#define RAF_RUNTIME_CORE_RELOCATION_H

#include <cstdint>
#include <optional>

namespace raf::rt {

/// The values are those of e_machine.
enum class Machine : uint16_t { X86_64 = 62, AArch64 = 183 };

/// The machine that this process runs on; nothing where it is none of those above.
std::optional<Machine> hostMachine();
const char *machineName(Machine machine);

/// What a relocation stores the address of.
enum class Target {
  Nothing,
  Symbol,
  Call,  ///< the symbol, or a jump to it where the symbol is too far away
  Entry, ///< the entry of the symbol in the table of addresses
};

struct RelocationKind {
  Target target;
  int bytes; ///< how many are changed
};

/// Nothing for a type that is not known.
std::optional<RelocationKind> getRelocationKind(Machine machine, uint32_t type);

/// Changes the bytes at `place`, which will run at `address`; `value` is the address of the target with the addend added. False if it does not fit.
bool applyRelocation(Machine machine, uint32_t type, char *place, uint64_t address, uint64_t value);

/// Bytes of a jump to an address in the table of addresses.
constexpr int kJumpBytes = 16;

/// Writes a jump that will run at `address` to what the table's entry at `entry` holds. Both lie within 2 GiB of each other.
void writeJump(Machine machine, char *place, uint64_t address, uint64_t entry);

} // namespace raf::rt

#endif
