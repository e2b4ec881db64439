// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/ObjectLoader.h"

#include "core/Error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace raf::rt {
namespace {

/// All that is loaded must be in reach of signed 32-bit offsets.
constexpr uint64_t kMostBytes = (uint64_t(1) << 31) - (uint64_t(1) << 20);

[[noreturn]] void refuse(size_t object, const std::string &what) { throw Error(RAF_RT_INVALID, "object " + std::to_string(object) + ": " + what); }

uint64_t alignTo(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

/// What lies together, because it may be used in the same way.
enum Segment { kCode, kConstants, kData, kNumSegments, kNone = kNumSegments };

/// A file. Nothing in it is believed before it was compared with the size.
class ObjectFile {
public:
  ObjectFile(size_t index, std::string_view bytes, Machine machine) : index(index), bytes(bytes) {
    if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
      refuse(index, "this is no ELF file");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL)
      refuse(index, "expected a relocatable object of 64 bits, least significant byte first");
    if (header.e_machine != static_cast<uint16_t>(machine))
      refuse(index, std::string("it is for machine ") + std::to_string(header.e_machine) + " of ELF, expected " + machineName(machine) + " (" +
                        std::to_string(static_cast<uint16_t>(machine)) + ")");
    if (header.e_shentsize != sizeof(Elf64_Shdr))
      damaged("the table of sections");
    readTable(header.e_shoff, header.e_shnum, sections, "the table of sections");
    readSymbols();
  }

  [[noreturn]] void damaged(const std::string &where) const { refuse(index, "the file is damaged: " + where); }

  template <typename Entry> void readTable(uint64_t offset, uint64_t count, std::vector<Entry> &table, const char *name) const {
    if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(Entry))
      damaged(std::string(name) + " is not inside it");
    table.resize(count);
    if (count)
      std::memcpy(table.data(), bytes.data() + offset, count * sizeof(Entry));
  }

  std::string_view contents(const Elf64_Shdr &section) const {
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset)
      damaged("a section is not inside it");
    return bytes.substr(section.sh_offset, section.sh_size);
  }

  std::string text(const Elf64_Shdr &table, uint64_t offset) const {
    std::string_view texts = contents(table);
    size_t end = offset < texts.size() ? texts.find('\0', offset) : std::string_view::npos;
    if (end == std::string_view::npos)
      damaged("a name is not inside it");
    return std::string(texts.substr(offset, end - offset));
  }

  std::string sectionName(const Elf64_Shdr &section) const {
    if (header.e_shstrndx >= sections.size())
      damaged("the names of sections");
    return text(sections[header.e_shstrndx], section.sh_name);
  }

  /// Local ones have no use for a name but in messages.
  std::string symbolName(const Elf64_Sym &symbol) const { return text(sections[symbolTexts], symbol.st_name); }

  size_t index;
  std::vector<Elf64_Shdr> sections;
  std::vector<Elf64_Sym> symbols;
  size_t symbolTable = 0;

private:
  void readSymbols() {
    for (size_t i = 0; i < sections.size(); ++i) {
      const Elf64_Shdr &section = sections[i];
      if (section.sh_type == SHT_SYMTAB_SHNDX)
        refuse(index, "it has more sections than the loader reads");
      if (section.sh_type != SHT_SYMTAB)
        continue;
      if (symbolTable || section.sh_entsize != sizeof(Elf64_Sym) || section.sh_link >= sections.size())
        damaged("the table of symbols");
      symbolTable = i;
      symbolTexts = section.sh_link;
      readTable(section.sh_offset, section.sh_size / sizeof(Elf64_Sym), symbols, "the table of symbols");
    }
  }

  std::string_view bytes;
  Elf64_Ehdr header;
  size_t symbolTexts = 0;
};

struct Place {
  Segment segment = kNone;
  uint64_t offset = 0; // in the segment
};

struct Reference {
  size_t object, section; // what is changed
  uint64_t offset;
  uint32_t type, symbol;
  int64_t addend;
  RelocationKind kind;
};

bool isVisible(const Elf64_Sym &symbol) { return ELF64_ST_BIND(symbol.st_info) != STB_LOCAL; }
bool isWeak(const Elf64_Sym &symbol) { return ELF64_ST_BIND(symbol.st_info) == STB_WEAK; }

} // namespace

/// One linking; the steps are in the order of `run`.
class ObjectLinker {
public:
  ObjectLinker(const SymbolResolver &resolve, Machine machine) : resolve(resolve), machine(machine) {}

  std::unique_ptr<LoadedObjects> run(const std::vector<std::string_view> &objects) {
    for (size_t i = 0; i < objects.size(); ++i)
      files.emplace_back(i, objects[i], machine);
    for (const ObjectFile &file : files)
      placeSections(file);
    for (const ObjectFile &file : files)
      readReferences(file);
    reserveEntries();
    reserveMemory();
    for (const ObjectFile &file : files)
      copySections(file);
    for (const ObjectFile &file : files)
      defineSymbols(file);
    for (const Reference &reference : references)
      apply(reference);
    if (!missing.empty())
      throw Error(RAF_RT_INVALID, "the code needs what is not there: " + missing);
    for (const auto &[name, definition] : definitions)
      loaded->symbols[name] = definition.address;
    protect();
    return std::move(loaded);
  }

private:
  uint64_t reserve(const ObjectFile &file, Segment segment, uint64_t size, uint64_t alignment) {
    if (alignment == 0)
      alignment = 1;
    if ((alignment & (alignment - 1)) || alignment > pageBytes)
      file.damaged("an alignment of " + std::to_string(alignment));
    uint64_t start = alignTo(sizes[segment], alignment);
    if (size > kMostBytes || start + size > kMostBytes)
      refuse(file.index, "it takes more memory than 2 GiB");
    sizes[segment] = start + size;
    return start;
  }

  Segment chooseSegment(const ObjectFile &file, const Elf64_Shdr &section) const {
    if (!(section.sh_flags & SHF_ALLOC) || section.sh_type == SHT_NOTE || section.sh_type == SHT_NULL)
      return kNone;
    std::string name = file.sectionName(section);
    if (name == ".eh_frame") // nothing is thrown through the code
      return kNone;
    if (section.sh_flags & SHF_TLS)
      refuse(file.index, "thread-local variables (" + name + ") are not supported");
    if (section.sh_flags & SHF_COMPRESSED)
      refuse(file.index, "compressed sections (" + name + ") are not supported");
    if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY || section.sh_type == SHT_PREINIT_ARRAY)
      refuse(file.index, "functions that run when it is loaded (" + name + ") are not supported");
    bool writes = section.sh_flags & SHF_WRITE, runs = section.sh_flags & SHF_EXECINSTR;
    if (writes && runs)
      refuse(file.index, "section " + name + " can be written and executed");
    // What is written by this linker only is constant afterwards.
    return runs ? kCode : writes && name.rfind(".data.rel.ro", 0) != 0 ? kData : kConstants;
  }

  void placeSections(const ObjectFile &file) {
    std::vector<Place> &mine = places.emplace_back(file.sections.size());
    for (size_t i = 0; i < file.sections.size(); ++i) {
      const Elf64_Shdr &section = file.sections[i];
      Segment segment = chooseSegment(file, section);
      if (segment == kNone)
        continue;
      if (section.sh_type != SHT_NOBITS)
        file.contents(section);
      mine[i] = {segment, reserve(file, segment, section.sh_size, section.sh_addralign)};
    }
    std::vector<uint64_t> &commons = commonOffsets.emplace_back(file.symbols.size());
    for (size_t i = 0; i < file.symbols.size(); ++i)
      if (file.symbols[i].st_shndx == SHN_COMMON)
        commons[i] = reserve(file, kData, file.symbols[i].st_size, file.symbols[i].st_value);
  }

  void readReferences(const ObjectFile &file) {
    for (const Elf64_Shdr &section : file.sections) {
      bool has = section.sh_type == SHT_RELA || section.sh_type == SHT_REL;
      if (!has || section.sh_info >= file.sections.size() || places[file.index][section.sh_info].segment == kNone)
        continue;
      if (section.sh_type == SHT_REL || section.sh_entsize != sizeof(Elf64_Rela) || section.sh_link != file.symbolTable)
        file.damaged("a table of relocations");
      const Elf64_Shdr &changed = file.sections[section.sh_info];
      if (changed.sh_type == SHT_NOBITS)
        file.damaged("relocations in a section without contents");
      std::vector<Elf64_Rela> table;
      file.readTable(section.sh_offset, section.sh_size / sizeof(Elf64_Rela), table, "a table of relocations");
      for (const Elf64_Rela &entry : table) {
        auto type = static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info)), symbol = static_cast<uint32_t>(ELF64_R_SYM(entry.r_info));
        std::optional<RelocationKind> kind = getRelocationKind(machine, type);
        if (!kind)
          refuse(file.index, "relocations of type " + std::to_string(type) + " for " + machineName(machine) + " are not supported");
        if (kind->target == Target::Nothing)
          continue;
        if (symbol >= file.symbols.size() || entry.r_offset > changed.sh_size || changed.sh_size - entry.r_offset < static_cast<uint64_t>(kind->bytes))
          file.damaged("a relocation");
        references.push_back({file.index, section.sh_info, entry.r_offset, type, symbol, entry.r_addend, *kind});
      }
    }
  }

  /// An entry of the table of addresses for each symbol whose address is loaded, and a jump for each that is called and not in the same object.
  void reserveEntries() {
    uint64_t jumps = 0;
    for (const Reference &reference : references) {
      const Elf64_Sym &symbol = files[reference.object].symbols[reference.symbol];
      bool isFar = reference.kind.target == Target::Call && (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS);
      if (reference.kind.target != Target::Entry && !isFar)
        continue;
      Indirect &indirect = indirects[{reference.object, reference.symbol}];
      if (indirect.entry == kUnset)
        indirect.entry = numEntries++;
      if (isFar && indirect.jump == kUnset)
        indirect.jump = jumps++;
    }
    const ObjectFile *first = files.empty() ? nullptr : &files.front();
    if (first) {
      entriesOffset = reserve(*first, kConstants, numEntries * sizeof(uint64_t), sizeof(uint64_t));
      jumpsOffset = reserve(*first, kCode, jumps * kJumpBytes, kJumpBytes);
    }
  }

  void reserveMemory() {
    uint64_t total = 0;
    for (int segment = 0; segment < kNumSegments; ++segment) {
      starts[segment] = total;
      total += alignTo(sizes[segment], pageBytes);
    }
    if (total > kMostBytes)
      throw Error(RAF_RT_INVALID, "the code takes more memory than 2 GiB: " + std::to_string(total) + " bytes");
    loaded->bytes = std::max<uint64_t>(total, pageBytes);
    void *memory = mmap(nullptr, loaded->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw Error(RAF_RT_OUT_OF_MEMORY, "no memory for " + std::to_string(loaded->bytes) + " bytes of code");
    loaded->memory = static_cast<char *>(memory);
  }

  char *at(const Place &place) const { return loaded->memory + starts[place.segment] + place.offset; }
  char *at(Segment segment, uint64_t offset) const { return at(Place{segment, offset}); }
  static uint64_t number(const char *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  void copySections(const ObjectFile &file) {
    for (size_t i = 0; i < file.sections.size(); ++i)
      if (const Place &place = places[file.index][i]; place.segment != kNone && file.sections[i].sh_type != SHT_NOBITS)
        if (std::string_view contents = file.contents(file.sections[i]); !contents.empty())
          std::memcpy(at(place), contents.data(), contents.size());
  }

  /// Where a symbol is that its own object defines; nothing if it is not loaded.
  std::optional<uint64_t> placeOf(const ObjectFile &file, size_t index) const {
    const Elf64_Sym &symbol = file.symbols[index];
    if (symbol.st_shndx == SHN_ABS)
      return symbol.st_value;
    if (symbol.st_shndx == SHN_COMMON)
      return number(at(kData, commonOffsets[file.index][index]));
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= file.sections.size())
      return std::nullopt;
    const Place &place = places[file.index][symbol.st_shndx];
    if (place.segment == kNone)
      return std::nullopt;
    if (symbol.st_value > file.sections[symbol.st_shndx].sh_size)
      file.damaged("a symbol is not inside its section");
    return number(at(place)) + symbol.st_value;
  }

  void defineSymbols(const ObjectFile &file) {
    for (size_t i = 0; i < file.symbols.size(); ++i) {
      const Elf64_Sym &symbol = file.symbols[i];
      if (!isVisible(symbol) || symbol.st_shndx == SHN_UNDEF)
        continue;
      std::optional<uint64_t> place = placeOf(file, i);
      if (!place)
        continue;
      std::string name = file.symbolName(symbol);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC || ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
        refuse(file.index, "symbol " + name + " is of a kind that is not supported");
      bool yields = isWeak(symbol) || symbol.st_shndx == SHN_COMMON;
      auto [known, isNew] = definitions.try_emplace(name, Definition{*place, yields});
      if (isNew || yields)
        continue;
      if (!known->second.yields)
        refuse(file.index, "symbol " + name + " is defined by an earlier object too");
      known->second = {*place, false};
    }
  }

  std::optional<uint64_t> addressOf(const Reference &reference) {
    const ObjectFile &file = files[reference.object];
    const Elf64_Sym &symbol = file.symbols[reference.symbol];
    if (reference.symbol == 0)
      return 0;
    if (!isVisible(symbol)) {
      std::optional<uint64_t> place = placeOf(file, reference.symbol);
      if (!place)
        file.damaged("a relocation refers to what is not loaded");
      return place;
    }
    std::string name = file.symbolName(symbol);
    if (auto known = definitions.find(name); known != definitions.end())
      return known->second.address;
    auto [known, isNew] = resolved.try_emplace(name, nullptr);
    if (isNew) {
      known->second = resolve(name);
      if (!known->second && !isWeak(symbol))
        missing += (missing.empty() ? "" : ", ") + name;
    }
    if (!known->second && !isWeak(symbol))
      return std::nullopt;
    return number(static_cast<const char *>(known->second));
  }

  void apply(const Reference &reference) {
    std::optional<uint64_t> target = addressOf(reference);
    if (!target)
      return; // counted as missing
    char *place = at(places[reference.object][reference.section]) + reference.offset;
    uint64_t address = number(place), addend = static_cast<uint64_t>(reference.addend);
    auto found = indirects.find({reference.object, reference.symbol});
    bool fits;
    if (reference.kind.target == Target::Entry) {
      if (machine == Machine::AArch64 && addend)
        files[reference.object].damaged("a relocation to the table of addresses with an addend");
      fits = applyRelocation(machine, reference.type, place, address, number(fillEntry(found->second, *target)) + addend);
    } else {
      fits = applyRelocation(machine, reference.type, place, address, *target + addend);
      if (!fits && reference.kind.target == Target::Call && found != indirects.end()) {
        char *entry = fillEntry(found->second, *target), *jump = at(kCode, jumpsOffset + found->second.jump * kJumpBytes);
        writeJump(machine, jump, number(jump), number(entry));
        fits = applyRelocation(machine, reference.type, place, address, number(jump) + addend);
      }
    }
    if (!fits) {
      const ObjectFile &file = files[reference.object];
      std::string name = file.symbolName(file.symbols[reference.symbol]);
      refuse(reference.object, "the address of " + (name.empty() ? "a section" : name) + " does not fit into a relocation of type " + std::to_string(reference.type));
    }
  }

  struct Indirect;
  char *fillEntry(const Indirect &indirect, uint64_t target) {
    char *entry = at(kConstants, entriesOffset + indirect.entry * sizeof target);
    std::memcpy(entry, &target, sizeof target);
    return entry;
  }

  void protect() {
    constexpr std::array<int, kNumSegments> allowed = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (int segment = 0; segment < kNumSegments; ++segment) {
      char *start = loaded->memory + starts[segment];
      size_t size = alignTo(sizes[segment], pageBytes);
      if (segment == kCode)
        __builtin___clear_cache(start, start + size);
      if (size && mprotect(start, size, allowed[segment]))
        throw Error(RAF_RT_FAILED, std::string("the system does not allow generated code to run: ") + std::strerror(errno));
    }
  }

  static constexpr uint64_t kUnset = UINT64_MAX;
  struct Indirect {
    uint64_t entry = kUnset, jump = kUnset; // numbers in their tables
  };
  struct Definition {
    uint64_t address;
    bool yields; // to one that does not
  };

  const SymbolResolver &resolve;
  Machine machine;
  uint64_t pageBytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::unique_ptr<LoadedObjects> loaded{new LoadedObjects()};
  std::vector<ObjectFile> files;
  std::vector<std::vector<Place>> places;           // by file and section
  std::vector<std::vector<uint64_t>> commonOffsets; // by file and symbol
  std::vector<Reference> references;
  std::map<std::pair<size_t, uint32_t>, Indirect> indirects; // by file and symbol
  std::array<uint64_t, kNumSegments> sizes = {}, starts = {};
  uint64_t numEntries = 0, entriesOffset = 0, jumpsOffset = 0;
  std::unordered_map<std::string, Definition> definitions;
  std::unordered_map<std::string, void *> resolved;
  std::string missing;
};

std::unique_ptr<LoadedObjects> LoadedObjects::load(const std::vector<std::string_view> &objects, const SymbolResolver &resolve, Machine machine) {
  return ObjectLinker(resolve, machine).run(objects);
}

std::unique_ptr<LoadedObjects> LoadedObjects::load(const std::vector<std::string_view> &objects, const SymbolResolver &resolve) {
  std::optional<Machine> machine = hostMachine();
  if (!machine)
    throw Error(RAF_RT_UNSUPPORTED, "generated code cannot be loaded on this kind of machine");
  return load(objects, resolve, *machine);
}

LoadedObjects::~LoadedObjects() {
  if (memory)
    munmap(memory, bytes);
}

void *LoadedObjects::find(const std::string &symbol) const {
  auto found = symbols.find(symbol);
  return found == symbols.end() ? nullptr : reinterpret_cast<void *>(found->second);
}

} // namespace raf::rt
