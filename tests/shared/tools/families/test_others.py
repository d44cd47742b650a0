"""The smaller families: agents, skills, notebooks, plans, questions, findings, MCP tools, and all that is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapter.shared.tools.facts import Block, InputFacts, Location, ResultFacts, Text, ToolKind, ToolResult
from adapter.shared.tools.families import FAMILIES, fallback, family_of, mcp
from adapter.shared.tools.families.base import block_content
from shared.tools.contexts import FIELDS, PLAIN, failed, ran

IMAGE = {"type": "image", "source": {"type": "base64", "data": "AA=="}}


def describe(tool: str, context: Any = PLAIN, **tool_input: Any) -> InputFacts:
    return family_of(tool).describe(tool, tool_input, context)


def read(tool: str, result: ToolResult, context: Any = PLAIN) -> ResultFacts:
    return family_of(tool).read_result(tool, {}, result, context)


@pytest.mark.parametrize("context", [PLAIN, FIELDS])
@pytest.mark.parametrize(
    "tool", sorted({*FAMILIES, "mcp__lab__add", "Unknown"} - {"ExitPlanMode", "Bash", "PowerShell"})
)
def test_every_failure_is_a_code_block(tool: str, context: Any) -> None:
    assert read(tool, failed("oops", "permission-rule"), context).content == (Text("```\noops\n```"),)


@pytest.mark.parametrize("tool", sorted({*FAMILIES, "mcp__lab__add", "Unknown"}))
def test_every_family_takes_any_input(tool: str) -> None:
    odd: tuple[Any, ...] = (None, 7, [], {}, [1], [{}], {"a": 1}, True)
    keys = ("command", "description", "file_path", "prompt", "questions", "findings", "plan", "url", "query", "skill")
    for context in (PLAIN, FIELDS):
        for value in odd:
            facts = family_of(tool).describe(tool, dict.fromkeys(keys, value), context)
            assert facts.title


def test_an_unknown_tool_is_shown_by_its_name() -> None:
    assert family_of("Unknown") is fallback.FAMILY
    assert describe("Unknown", anything=1) == InputFacts("Unknown")
    assert read("Unknown", ran("done")) == ResultFacts(content=(Text("done"),))


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("a", (Text("a"),)),
        ("", ()),
        (None, ()),
        (7, ()),
        (
            [{"type": "text", "text": "a"}, IMAGE, {"type": "tool_reference", "tool_name": "Grep"}, "x", None],
            (Text("a"), Block(IMAGE), Text("Tool: Grep")),
        ),
        ([{"type": "text"}, {"type": "tool_reference"}], (Text(""), Text("Tool: "))),
        ([{}], (Block({}),)),
    ],
)
def test_the_blocks_of_a_result_are_shown_as_they_came(content: Any, shown: Any) -> None:
    assert block_content(content) == shown


@pytest.mark.parametrize(("name", "server", "tool"), [("mcp__lab__add", "lab", "add"), ("mcp__a__b__c", "a", "b__c")])
def test_a_tool_of_an_mcp_server_says_whose_it_is(name: str, server: str, tool: str) -> None:
    assert family_of(name) is mcp.FAMILY
    assert describe(name) == InputFacts(name, hints={"mcp": {"server": server, "tool": tool}})
    assert read(name, ran([IMAGE])) == ResultFacts(content=(Block(IMAGE),))


@pytest.mark.parametrize("name", ["mcp__a", "mcp__a__", "mcp____b"])
def test_a_name_of_an_mcp_tool_that_lacks_a_part_says_nothing(name: str) -> None:
    assert describe(name) == InputFacts(name)


def test_an_agent_is_shown_by_its_task() -> None:
    facts = describe("Agent", description="Find it", prompt="Look for it")
    assert facts == InputFacts("Find it", ToolKind.THINK, (Text("Look for it"),), hints={"subagent": True})
    assert describe("Task") == InputFacts("Task", ToolKind.THINK, hints={"subagent": True})
    assert describe("Agent", FIELDS, prompt="Look for it").content == ()


@pytest.mark.parametrize(
    ("structured", "shown"),
    [
        ({"content": [{"type": "text", "text": "Found it"}]}, "Found it"),
        ({"content": "text"}, "for the model"),
        ({}, "for the model"),
        ("text", "for the model"),
        (None, "for the model"),
    ],
)
def test_the_report_of_an_agent_is_shown_not_what_wraps_it(structured: Any, shown: str) -> None:
    assert read("Agent", ran("for the model", structured)).content == (Text(shown),)


def test_a_schedule_says_what_is_done_when() -> None:
    assert describe("CronCreate", cron="0 9 * * *", prompt="\nLook\nand tell").title == "Schedule `0 9 * * *`: Look"
    assert describe("CronCreate", cron="0 9 * * *").title == "Schedule a prompt"
    assert describe("CronDelete", id="c1").title == "Unschedule `c1`"
    assert describe("CronDelete").title == "Unschedule a prompt"
    assert describe("CronList").title == "List scheduled prompts"
    assert read("CronList", ran("No jobs")).content == (Text("No jobs"),)


def test_a_skill_is_loaded_by_name_and_says_nothing() -> None:
    assert describe("Skill") == InputFacts("Load skill")
    assert describe("Skill", skill="tidy") == InputFacts("Load skill: tidy", hints={"skill": {"name": "tidy"}})
    assert describe("Skill", command="tidy").title == "Load skill: tidy"
    known = replace(PLAIN, skills={"tidy": "/w/SKILL.md"})
    facts = family_of("Skill").describe("Skill", {"skill": "tidy"}, known)
    assert facts.hints == {"skill": {"name": "tidy", "path": "/w/SKILL.md"}}
    assert read("Skill", ran("Launching skill")) == ResultFacts()


@pytest.mark.parametrize(
    ("tool_input", "title"),
    [
        ({}, "Edit notebook"),
        ({"notebook_path": "/w/a.ipynb"}, "Edit cell in a.ipynb"),
        ({"notebook_path": "/w/a.ipynb", "cell_id": "c1", "edit_mode": "insert"}, "Insert cell c1 in a.ipynb"),
        ({"notebook_path": "/w/a.ipynb", "cell_id": "c1", "edit_mode": "delete"}, "Delete cell c1 in a.ipynb"),
        ({"notebook_path": "/w/a.ipynb", "edit_mode": "replace"}, "Edit cell in a.ipynb"),
    ],
)
def test_a_notebook_is_shown_by_its_cell_where_each_fact_comes_once(tool_input: dict[str, Any], title: str) -> None:
    path = tool_input.get("notebook_path")
    facts = describe("NotebookEdit", FIELDS, **tool_input)
    assert facts == InputFacts(title, ToolKind.EDIT, locations=(Location(path),) if path else ())
    assert describe("NotebookEdit", PLAIN, **tool_input) == InputFacts("NotebookEdit")


def test_the_new_source_of_a_cell_is_shown_with_it() -> None:
    context = replace(FIELDS, copies_input=True)
    facts = describe("NotebookEdit", context, notebook_path="/w/a.ipynb", new_source="x = 1\n")
    assert facts.content == (Text("```\nx = 1\n```"),)


def test_the_result_of_a_notebook() -> None:
    assert read("NotebookEdit", ran("done"), FIELDS) == ResultFacts(raw=False)
    assert read("NotebookEdit", ran("done")) == ResultFacts(content=(Text("done"),))


def test_a_plan_is_shown_or_opened() -> None:
    plan = {"plan": "1. Do it", "planFilePath": "/w/plan.md"}
    assert describe("ExitPlanMode", **plan) == InputFacts("Approve Plan", ToolKind.SWITCH_MODE, (Text("1. Do it"),))
    by_file = describe("ExitPlanMode", FIELDS, **plan)
    assert by_file == InputFacts("Approve Plan", ToolKind.SWITCH_MODE, carried=frozenset({"plan"}))
    assert describe("ExitPlanMode", FIELDS, plan="1. Do it").carried == frozenset()
    assert describe("EnterPlanMode") == InputFacts("EnterPlanMode", ToolKind.SWITCH_MODE)


def test_what_became_of_a_plan() -> None:
    assert read("ExitPlanMode", ran("go")) == ResultFacts(title="Exited Plan Mode", raw=True)
    assert read("ExitPlanMode", ran("go"), FIELDS) == ResultFacts(title="Exited Plan Mode", raw=False)
    assert read("ExitPlanMode", failed("no")) == ResultFacts(content=(Text("```\nno\n```"),), raw=True)
    assert read("ExitPlanMode", failed("no"), FIELDS) == ResultFacts(raw=True)
    assert read("EnterPlanMode", ran("now plan")) == ResultFacts(content=(Text("now plan"),))


def test_questions_are_shown_with_their_options() -> None:
    question = {"question": "Which?", "options": [{"label": "A"}, {"label": ""}, "x", {"label": "B"}]}
    facts = describe("AskUserQuestion", questions=[question])
    assert facts == InputFacts("Which?", content=(Text("Which?\n- A\n- B"),))
    two = describe("AskUserQuestion", questions=[question, {"question": "And?", "options": None}, "x"])
    assert two == InputFacts("Asking for your input", content=(Text("Which?\n- A\n- B"), Text("And?")))
    assert describe("AskUserQuestion", FIELDS, questions=[question]) == InputFacts("Asking for your input")
    assert describe("AskUserQuestion", questions=[{}]).title == "Asking for your input"
    assert read("AskUserQuestion", ran("A")).content == (Text("A"),)


def test_findings_are_counted_and_shown_with_their_places() -> None:
    findings = [{"file": "a.py", "line": 3, "summary": "wrong"}, {"file": "b.py", "summary": "odd"}, "x"]
    facts = describe("ReportFindings", findings=findings)
    assert facts == InputFacts("Report 2 findings", ToolKind.THINK, (Text("**a.py:3** — wrong\n**b.py** — odd"),))
    assert describe("ReportFindings", findings=findings[:1]).title == "Report 1 finding"
    assert describe("ReportFindings") == InputFacts("Report findings: none found", ToolKind.THINK)
    assert describe("ReportFindings", FIELDS, findings=findings).content == ()
    assert read("ReportFindings", ran("ok")).content == (Text("ok"),)


def test_a_failure_shows_what_it_has_beside_its_text() -> None:
    facts = read("mcp__lab__draw", failed([{"type": "text", "text": "boom"}, IMAGE, "x"]))
    assert facts.content == (Text("```\nboom\n```"), Block(IMAGE))


@pytest.mark.parametrize("wrapped", ["<persisted-output>\na\n...\n</persisted-output>", "a\n..."])
def test_a_result_that_was_cut_is_shown_without_the_tags_around_it(wrapped: str) -> None:
    assert read("mcp__lab__list", ran(wrapped)).content == (Text("a\n..."),)
    assert read("Unknown", ran([{"type": "text", "text": wrapped}])).content == (Text("a\n..."),)


def test_the_trailer_of_an_agents_report_is_for_the_model() -> None:
    trailer = "agentId: a1 (use SendMessage with to: 'a1')\n<usage>total_tokens: 1\ntool_uses: 0</usage>"
    blocks = [{"type": "text", "text": "Found it"}, {"type": "text", "text": trailer}, IMAGE]
    assert read("Agent", ran(blocks)).content == (Text("Found it"), Block(IMAGE))
    assert read("Agent", ran(f"Found it\n{trailer}")).content == (Text("Found it"),)


def test_what_stands_before_an_agents_report_is_for_the_model() -> None:
    wrapped = "  <note>x</note>\n  \n[Subagent hand-back] The report follows:\n  Found it\n    deep\nagentId: a1 (…)"
    assert read("Agent", ran(wrapped)).content == (Text("<note>x</note>\n\nFound it\n  deep"),)
