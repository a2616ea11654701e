"""What every file must have, and what no file may contain."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Written with gaps, so that this file does not find itself.
WORDS = ("TO-DO", "FIX-ME", "XX-X", "not-@implemented", "Not-ImplementedError", "lorem-@ipsum", "coming-@soon")
UNFINISHED = re.compile(rf"\b({'|'.join(word.replace('-', '').replace('@', ' ') for word in WORDS)})\b")
REGISTRIES = (
    "pypi org",
    "files pythonhosted org",
    "proxy golang org",
    "sum golang org",
    "deb debian org",
    "security debian org",
    "registry npmjs org",
    "registry-1 docker io",
)
HOSTS = re.compile(rf"\b({'|'.join(re.escape(host.replace(' ', '.')) for host in REGISTRIES)})\b")


def _tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


FILES = _tracked()
DOCUMENTED = ("rackwright", "validators")


def _where(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate(_text(path).splitlines(), start=1)
        if pattern.search(line)
    ]


def test_the_patterns_match_what_they_refuse():
    for word in WORDS:
        assert UNFINISHED.search(f"# {word.replace('-', '').replace('@', ' ')}: later")
    for host in REGISTRIES:
        assert HOSTS.search(f"https://{host.replace(' ', '.')}/simple")


def test_readme_names_both_commands():
    readme = _text(ROOT / "README.md")
    assert "make rehearse" in readme
    assert "make test" in readme


def test_no_file_is_unfinished():
    assert _where(UNFINISHED, FILES) == []


def test_no_file_names_a_registry():
    assert _where(HOSTS, FILES) == []


def test_every_module_has_a_docstring():
    modules = [path for path in FILES if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in DOCUMENTED]
    assert len(modules) > 20
    without = [path for path in modules if not ast.get_docstring(ast.parse(_text(path)))]
    assert [str(path.relative_to(ROOT)) for path in without] == []


def test_paths_in_the_documentation_exist():
    folders = "rackwright|validators|tests|roles|tools|inventories|templates|stacks|benchmarks|docs"
    path = re.compile(rf"`((?:{folders})/[A-Za-z0-9_./-]+)`")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    named = [(page.relative_to(ROOT), name) for page in pages for name in path.findall(_text(page))]
    assert len(named) > 40
    assert [f"{page}: {name}" for page, name in named if not (ROOT / name).exists()] == []


def test_changelog_has_an_unreleased_part():
    assert re.search(r"^## \[Unreleased\]$", _text(ROOT / "CHANGELOG.md"), re.MULTILINE)
