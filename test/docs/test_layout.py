# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the READMEs promise about the tree: every phase has a short one, every pass is in it and has tests, and what documents name exists."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = sorted(p.parent for p in ROOT.glob("passes/*/Passes.td"))
PASSES = [(phase, name) for phase in PHASES for name in re.findall(r'def \w+ *: *Pass<"([\w-]+)"', (phase / "Passes.td").read_text())]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("passes/**/*.md"), *ROOT.glob("test/*.md"), *ROOT.glob("runtime/*.md"), *ROOT.glob("benchmarks/*.md")]
FOLDERS = "dialects|passes|python|runtime|test|docs|benchmarks|cmake"


@pytest.mark.parametrize("phase", PHASES, ids=lambda p: p.name)
def test_phase_has_a_short_readme(phase):
    readme = phase / "README.md"
    assert readme.exists(), f"passes/{phase.name} has no README.md"
    assert len(readme.read_text().splitlines()) <= 40
    assert f"[{phase.name}]({phase.name}/README.md)" in (ROOT / "passes/README.md").read_text(), "passes/README.md does not list the phase"


@pytest.mark.parametrize(("phase", "name"), PASSES, ids=lambda v: v if isinstance(v, str) else "")
def test_pass_is_described_and_tested(phase, name):
    used = re.compile(rf"\b{name}\b(?!-)")
    assert used.search((phase / "README.md").read_text()), f"passes/{phase.name}/README.md does not say what {name} does"
    tests = (ROOT / "test/passes" / phase.name).rglob("*.mlir")
    assert any(used.search(line) for test in tests for line in test.read_text().splitlines() if "RUN:" in line), f"no test in test/passes/{phase.name} runs {name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_names_of_documents_exist(document):
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    links = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
    missing = [target for target in links if not (document.parent / target).exists()]
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", text):
        if not (ROOT / path).exists() and not (document.parent / path).exists():
            missing.append(path)
    assert not missing, f"{document.relative_to(ROOT)} names what does not exist: {', '.join(missing)}"


def test_readme_names_what_developers_need():
    """The one long pip command of README.md installs all that building from the tree and testing it take."""
    text = (ROOT / "pyproject.toml").read_text()
    lists = [re.search(rf"^{name} = \[(.*?)^\]", text, re.M | re.S).group(1) for name in ("requires", "dependencies", "test")]
    needed = {re.match(r"[\w-]+", item).group() for items in lists for item in re.findall(r'"([^"]+)"', items)} - {"scikit-build-core"}
    command = re.search(r"^## Work on RAF.*?^pip install (.*?)^cmake", (ROOT / "README.md").read_text(), re.M | re.S).group(1)
    assert needed - set(re.findall(r"[A-Za-z][\w-]+", command)) == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_passes_in_documents_exist(document):
    known = {name for _, name in PASSES} | {"raf-opt", "raf-reduce", "raf-lsp-server", "raf-cpu", "raf-cuda", "raf-doc", "raf-compiler"}
    unknown = set(re.findall(r"(?<![\w/-])raf-[a-z]+(?:-[a-z]+)*(?![\w-])", document.read_text())) - known
    assert not unknown, f"{document.relative_to(ROOT)} names what does not exist: {', '.join(sorted(unknown))}"
