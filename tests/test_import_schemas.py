"""The script that imports the ACP schemas, run on a small package of the same layout."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "import_schemas.py"
PACKAGE = "@agentclientprotocol/sdk"
VERSION = "2.4.0"
OUTPUTS = {"v1/stable.json", "v1/unstable.json", "v2/stable.json", "v2/unstable.json", "source.json"}

ORIGINAL = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Protocol",
    "$comment": "Generated.",
    "$defs": {
        "title": {"description": "A definition of that name.", "type": "string", "examples": ["T"]},
        "Notice": {
            "description": "A notice.",
            "markdownDescription": "A *notice*.",
            "x-docs-ignore": True,
            "x-side": "client",
            "x-method": "session/notice",
            "type": "object",
            "properties": {
                "title": {"description": "The title.", "$ref": "#/$defs/title"},
                "description": {"title": "Details", "type": ["string", "null"], "default": {"title": "kept"}},
                "kind": {"oneOf": [{"title": "A", "const": "a"}, {"description": "B", "const": "b"}]},
            },
            "required": ["title", "description"],
            "discriminator": {"propertyName": "kind"},
        },
    },
}

IMPORTED = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "title": {"type": "string"},
        "Notice": {
            "x-side": "client",
            "x-method": "session/notice",
            "type": "object",
            "properties": {
                "title": {"$ref": "#/$defs/title"},
                "description": {"type": ["string", "null"], "default": {"title": "kept"}},
                "kind": {"oneOf": [{"const": "a"}, {"const": "b"}]},
            },
            "required": ["title", "description"],
            "discriminator": {"propertyName": "kind"},
        },
    },
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An unpacked package whose four schemas are alike."""
    folder = tmp_path / "package"
    manifest = {"name": PACKAGE, "version": VERSION, "license": "Apache-2.0"}
    for name in ("schema/v1/schema", "schema/v1/schema.unstable", "schema/v2/schema", "schema/v2/schema.unstable"):
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(ORIGINAL), encoding="utf-8")
    (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def run(output: Path, *arguments: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the script; `path` replaces the search path for programs."""
    command = [sys.executable, str(SCRIPT), "--output", str(output), *map(str, arguments)]
    env = {**os.environ, "PATH": path} if path is not None else None
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env, timeout=60)


def imported(output: Path, package: Path) -> dict[str, str]:
    """Imports a package and returns the text of each file that was written."""
    done = run(output, package)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return texts(output)


def texts(output: Path) -> dict[str, str]:
    files = [path for path in output.rglob("*") if path.is_file()]
    return {path.relative_to(output).as_posix(): path.read_text(encoding="utf-8") for path in files}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_prose_goes_and_structure_stays(tmp_path: Path, package: Path) -> None:
    files = imported(tmp_path / "out", package)
    assert files.keys() == OUTPUTS
    for name in OUTPUTS - {"source.json"}:
        assert json.loads(files[name]) == IMPORTED


def test_files_are_sorted_indented_and_the_same_each_time(tmp_path: Path, package: Path) -> None:
    files = imported(tmp_path / "out", package)
    assert imported(tmp_path / "out", package) == files
    assert imported(tmp_path / "other", package) == files
    for text in files.values():
        assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


def test_source_records_package_version_licence_and_digests(tmp_path: Path, package: Path) -> None:
    imported(tmp_path / "out", package)
    source = read(tmp_path / "out" / "source.json")
    assert (source["package"], source["version"], source["licence"]) == (PACKAGE, VERSION, "Apache-2.0")
    originals = [path for path in package.rglob("*.json") if path.name != "package.json"]
    assert source["files"] == {
        path.relative_to(package).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in originals
    }


def test_check_passes_on_what_was_imported_and_writes_nothing(tmp_path: Path, package: Path) -> None:
    files = imported(tmp_path / "out", package)
    done = run(tmp_path / "out", package, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert texts(tmp_path / "out") == files


def test_check_names_what_differs_and_writes_nothing(tmp_path: Path, package: Path) -> None:
    output = tmp_path / "out"
    imported(output, package)
    (output / "v1" / "stable.json").write_text("{}\n", encoding="utf-8")
    (output / "v2" / "unstable.json").unlink()
    before = texts(output)
    done = run(output, package, "--check")
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == [
        str(output / "v1/stable.json"),
        str(output / "v2/unstable.json"),
    ]
    assert texts(output) == before


@pytest.mark.parametrize("change", [{"version": "2.4.1"}, {"name": "other"}])
def test_another_package_or_version_is_refused(tmp_path: Path, package: Path, change: dict[str, str]) -> None:
    manifest = {**read(package / "package.json"), **change}
    (package / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    done = run(tmp_path / "out", package)
    assert done.returncode == 2
    assert f"holds {manifest['name']} {manifest['version']}, but {PACKAGE} {VERSION} is expected" in done.stderr
    assert not (tmp_path / "out").exists()


def test_package_without_a_schema_is_refused(tmp_path: Path, package: Path) -> None:
    (package / "schema/v2/schema.json").unlink()
    done = run(tmp_path / "out", package)
    assert done.returncode == 2
    assert f"is no unpacked {PACKAGE}" in done.stderr
    assert not (tmp_path / "out").exists()


def test_package_is_fetched_when_none_is_given(tmp_path: Path, package: Path) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(
        f"#!{sys.executable}\n"
        "import sys, tarfile\n"
        f"assert sys.argv[1:3] == ['pack', '{PACKAGE}@{VERSION}'], sys.argv\n"
        "folder = sys.argv[sys.argv.index('--pack-destination') + 1]\n"
        "with tarfile.open(folder + '/sdk.tgz', 'w:gz') as tar:\n"
        f"    tar.add({str(package)!r}, 'package')\n",
        encoding="utf-8",
    )
    npm.chmod(0o755)
    done = run(tmp_path / "out", path=str(npm.parent))
    assert (done.returncode, done.stderr) == (0, "")
    assert texts(tmp_path / "out") == imported(tmp_path / "other", package)


def test_committed_schemas_have_no_prose_and_the_pinned_version() -> None:
    committed = ROOT / "schemas" / "acp"
    assert texts(committed).keys() == OUTPUTS
    assert read(committed / "source.json")["version"] == VERSION
    for name in sorted(OUTPUTS - {"source.json"}):
        assert "https://agentclientprotocol.com" not in (committed / name).read_text(encoding="utf-8")
