"""Rule 4: a turn is a closed union of frozen states, and every match over such a union is exhaustive.

A state holds what exists in that state, so none of its fields may be absent; ``assert_never`` makes the type checker
point at each match that a new state leaves open.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from .source import SOURCE, Finding, Module, Rule, dotted, plant, read, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TURNS = "v1/turns.py"
MATCHING = (TURNS, "v1/session.py", "shared/work_state.py", "v2_native/messages.py")
"""The modules that decide by state; the unions of states are declared in them, too."""

STATES = frozenset({"Queued", "Sent", "Running", "Cancelling", "Settled"})


def unions(module: Module) -> dict[str, set[str]]:
    """The unions of classes of the module itself that it gives a name, with the unions in them taken apart."""
    classes = {node.name for node in module.tree.body if isinstance(node, ast.ClassDef)}
    found: dict[str, set[str]] = {}
    for statement in module.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value):
                members = _members(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.BinOp() as value):
                members = _members(value)
            case _:
                continue
        flat = {one for member in members for one in found.get(member, {member})}
        if flat <= classes:
            found[name] = flat
    return found


def _members(value: ast.expr) -> list[str]:
    match value:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_members(left), *_members(right)]
        case ast.Constant(value=None):
            return ["None"]
        case _:
            return [dotted(value)]


def turn_states(root: Path) -> list[Finding]:
    """States of a turn that are not frozen, slotted and complete, or a union that is not there."""
    for module in read(root):
        if module.place == TURNS:
            if not any(members >= STATES for members in unions(module).values()):
                return [module.finding(1, f"has no union of {', '.join(sorted(STATES))}")]
            return list(_state_faults(module))
    return [Finding(TURNS, 1, "does not exist")]


def _state_faults(module: Module) -> Iterator[Finding]:
    members = next(members for members in unions(module).values() if members >= STATES)
    classes = {node.name: node for node in module.tree.body if isinstance(node, ast.ClassDef)}
    for name in sorted(members):
        for node in _with_bases(classes, name):
            if not _is_frozen(node):
                yield module.finding(node.lineno, f"{node.name} is no dataclass with frozen=True and slots=True")
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and _may_be_none(field.annotation):
                    yield module.finding(field.lineno, f"{node.name} has a field that may be None")


def _with_bases(classes: dict[str, ast.ClassDef], name: str) -> Iterator[ast.ClassDef]:
    if name in classes:
        yield classes[name]
        for base in classes[name].bases:
            yield from _with_bases(classes, dotted(base))


def _is_frozen(node: ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and dotted(decorator.func) in {"dataclass", "dataclasses.dataclass"}:
            options = {keyword.arg: ast.unparse(keyword.value) for keyword in decorator.keywords}
            return options.get("frozen") == "True" and options.get("slots") == "True"
    return False


def _may_be_none(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Subscript(value=outer):
            return dotted(outer).rpartition(".")[2] == "Optional"
        case _:
            return "None" in _members(annotation)


def exhaustive_matches(root: Path) -> list[Finding]:
    """Matches over a union of states that do not end in ``assert_never``, and files of the list that are missing."""
    modules = [module for module in read(root) if module.place in MATCHING]
    states = {state for module in modules for members in unions(module).values() for state in members}
    missing = set(MATCHING) - {module.place for module in modules}
    findings = [Finding(place, 1, "does not exist") for place in sorted(missing)]
    for module in modules:
        matches = [node for node in ast.walk(module.tree) if isinstance(node, ast.Match)]
        findings += [
            module.finding(node.lineno, "matches a state without assert_never at its end")
            for node in matches
            if _classes(node) & states and not _ends_in_assert_never(node)
        ]
    return findings


def _classes(node: ast.Match) -> set[str]:
    patterns = [pattern for case in node.cases for pattern in ast.walk(case.pattern)]
    return {dotted(pattern.cls).rpartition(".")[2] for pattern in patterns if isinstance(pattern, ast.MatchClass)}


def _ends_in_assert_never(node: ast.Match) -> bool:
    match node.cases[-1]:
        case ast.match_case(
            pattern=ast.MatchAs(pattern=None | ast.MatchAs(pattern=None, name=None), name=str(captured)),
            guard=None,
            body=[ast.Expr(value=ast.Call(func=function, args=[ast.Name(id=checked)]))],
        ):
            return dotted(function).rpartition(".")[2] == "assert_never" and captured == checked
        case _:
            return False


@pytest.mark.parametrize("rule", [turn_states, exhaustive_matches])
def test_states_are_closed(rule: Rule) -> None:
    assert report(rule(SOURCE)) == ""


def a_state(name: str, field: str = "prompt: str", decorator: str = "@dataclass(frozen=True, slots=True)") -> str:
    return f"{decorator}\nclass {name}:\n    {field}\n"


OTHERS = "".join(a_state(name) for name in sorted(STATES - {"Sent"}))
UNION = "Turn = Queued | Sent | Running | Cancelling | Settled\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OTHERS + a_state("Sent"), "has no union of Cancelling, Queued, Running, Sent, Settled"),
        (OTHERS + a_state("Sent") + "Turn = Queued | Sent", "has no union of"),
        (OTHERS + a_state("Sent", decorator="@dataclass(frozen=True)") + UNION, "Sent is no dataclass"),
        (OTHERS + a_state("Sent", decorator="@dataclass") + UNION, "Sent is no dataclass"),
        (OTHERS + a_state("Sent", field="at: int | None") + UNION, "Sent has a field that may be None"),
        (OTHERS + a_state("Sent", field="at: Optional[int]") + UNION, "Sent has a field that may be None"),
        (
            OTHERS + a_state("Base", field="at: int | None") + a_state("Sent").replace("Sent:", "Sent(Base):") + UNION,
            "Base has a field that may be None",
        ),
    ],
)
def test_turn_states_complains(tmp_path: Path, text: str, message: str) -> None:
    assert message in report(turn_states(plant(tmp_path, {TURNS: text})))


def test_turn_states_complains_when_there_are_none(tmp_path: Path) -> None:
    assert report(turn_states(plant(tmp_path, {"v1/session.py": ""}))) == "v1/turns.py:1: does not exist"


def test_turn_states_allows_the_design(tmp_path: Path) -> None:
    waiting = "Waiting = Queued | Sent\nTurn: TypeAlias = Waiting | Running | Cancelling | Settled\n"
    text = OTHERS + a_state("Sent", field="marks: dict[str, str | None]") + waiting
    assert turn_states(plant(tmp_path, {TURNS: text})) == []


def matching(last: str) -> dict[str, str]:
    cases = f"match turn:\n    case Queued():\n        pass\n{last}"
    places = dict.fromkeys(MATCHING, "")
    return {**places, TURNS: OTHERS + a_state("Sent") + UNION, "v1/session.py": cases}


@pytest.mark.parametrize(
    "last",
    [
        "",
        "    case _:\n        pass\n",
        "    case _:\n        assert_never(turn)\n",
        "    case unreachable if False:\n        assert_never(unreachable)\n",
        "    case unreachable:\n        log(unreachable)\n",
        "    case Sent() as unreachable:\n        assert_never(unreachable)\n",
    ],
)
def test_exhaustive_matches_complains(tmp_path: Path, last: str) -> None:
    found = report(exhaustive_matches(plant(tmp_path, matching(last))))
    assert found == "adapter/v1/session.py:1: matches a state without assert_never at its end"


@pytest.mark.parametrize(
    "last",
    [
        "    case _ as x:\n        assert_never(x)\n",
        "    case unreachable:\n        typing.assert_never(unreachable)\n",
    ],
)
def test_exhaustive_matches_allows_assert_never(tmp_path: Path, last: str) -> None:
    assert exhaustive_matches(plant(tmp_path, matching(last))) == []


def test_exhaustive_matches_leaves_other_matches_alone(tmp_path: Path) -> None:
    files = matching("    case _ as x:\n        assert_never(x)\n")
    files["v1/session.py"] += "match turn:\n    case Input():\n        pass\n"
    assert exhaustive_matches(plant(tmp_path, files)) == []


def test_exhaustive_matches_complains_about_a_missing_file(tmp_path: Path) -> None:
    files = matching("    case x:\n        assert_never(x)\n")
    del files["v2_native/messages.py"]
    assert report(exhaustive_matches(plant(tmp_path, files))) == "v2_native/messages.py:1: does not exist"
