"""Imports the ACP schemas from the npm package that publishes them: their structure, without their prose.

    python scripts/import_schemas.py [SOURCE] [--check] [--output FOLDER]

SOURCE is the unpacked package; without it the pinned version is fetched with `npm pack`. `--check` writes nothing and
exits with status 1 when the files in the output folder differ from what the package gives.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = "@agentclientprotocol/sdk"
VERSION = "2.4.0"
OUTPUT = Path(__file__).parents[1] / "schemas" / "acp"
FILES = {
    "v1/stable.json": "schema/v1/schema.json",
    "v1/unstable.json": "schema/v1/schema.unstable.json",
    "v2/stable.json": "schema/v2/schema.json",
    "v2/unstable.json": "schema/v2/schema.unstable.json",
}
"""Each output file, and the file of the package that it is made from."""

PROSE = frozenset({"$comment", "description", "examples", "markdownDescription", "title"})
DOCS_PREFIX = "x-docs-"
NAMED_SCHEMAS = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose value maps names, which may be `title` or `description`, to schemas."""
VALUES = frozenset({"const", "default", "enum"})
"""Keywords whose value is data, in which nothing is a keyword."""


class SourceError(Exception):
    """The source is not the package that this script is written for."""


def without_prose(schema: Any) -> Any:
    """Returns a JSON schema, or a list of them, without annotations that only people read."""
    if isinstance(schema, list):
        return [without_prose(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in PROSE or keyword.startswith(DOCS_PREFIX):
            continue
        if keyword in NAMED_SCHEMAS:
            kept[keyword] = {name: without_prose(entry) for name, entry in value.items()}
        else:
            kept[keyword] = value if keyword in VALUES else without_prose(value)
    return kept


def as_text(value: Any) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def convert(source: Path) -> dict[str, str]:
    """Returns the text of each output file, by its path below the output folder.

    Raises:
        SourceError: The source is another package or another version, or lacks a schema.
    """
    try:
        manifest = json.loads((source / "package.json").read_bytes())
        originals = {path: (source / path).read_bytes() for path in FILES.values()}
    except OSError as error:
        raise SourceError(f"{source} is no unpacked {PACKAGE}: {error}") from error
    found = f"{manifest['name']} {manifest['version']}"
    if found != f"{PACKAGE} {VERSION}":
        raise SourceError(f"{source} holds {found}, but {PACKAGE} {VERSION} is expected")
    record = {
        "package": PACKAGE,
        "version": VERSION,
        "licence": manifest["license"],
        "files": {path: hashlib.sha256(original).hexdigest() for path, original in originals.items()},
    }
    schemas = {path: as_text(without_prose(json.loads(originals[original]))) for path, original in FILES.items()}
    return {**schemas, "source.json": as_text(record)}


def fetch(folder: Path) -> Path:
    """Downloads and unpacks the package into a folder, and returns the path of what it contains."""
    command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "package"


def differing(texts: dict[str, str], output: Path) -> list[str]:
    """Returns the files of the output folder that are absent or hold something else."""

    def differs(path: Path, text: str) -> bool:
        return not path.is_file() or path.read_text(encoding="utf-8") != text

    return [name for name, text in texts.items() if differs(output / name, text)]


def write(texts: dict[str, str], output: Path) -> None:
    for name, text in texts.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the script and returns its exit status: 0, or 1 when `--check` finds a difference."""
    parser = argparse.ArgumentParser(description=f"Imports the schemas of {PACKAGE} {VERSION}.")
    parser.add_argument("source", nargs="?", type=Path, help="folder of the unpacked package (default: fetch it)")
    parser.add_argument("--check", action="store_true", help="compare only, and name the files that differ")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write to (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            texts = convert(options.source or fetch(Path(folder)))
        except SourceError as error:
            parser.error(str(error))
    if not options.check:
        write(texts, options.output)
        return 0
    names = differing(texts, options.output)
    for name in names:
        print(f"{options.output / name} differs from {PACKAGE} {VERSION}", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
