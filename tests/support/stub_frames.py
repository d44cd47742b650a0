"""The parts that the Claude Code double plays, and the frames that they are made of.

A text such as ``@SESSION@`` is a placeholder that ``support.stub_process`` fills in.
"""

from __future__ import annotations

import base64
import json
import signal
from typing import TYPE_CHECKING, Any, Self

from support.stub_defaults import MODEL, MODEL_USAGE, USAGE

if TYPE_CHECKING:
    from pathlib import Path

Frame = dict[str, Any]

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
INTERRUPTED = "[Request interrupted by user]"
INTERRUPTED_FOR_TOOL = "[Request interrupted by user for tool use]"


class Part:
    """What the double does at one occasion. Each method adds to it and returns it.

    Args:
        number: The number of the prompt that it belongs to, from 1; 0 for a part of no prompt or of any.
    """

    def __init__(self, number: int) -> None:
        self.actions: list[Frame] = []
        self._number = number
        self._own = f":{number}" if number else ""
        self._turn = [self._own]
        self._folded: list[str] = []
        self._replied = False
        self._messages = 0
        self._blocks = 0
        self._open = False
        self._text = ""

    # What is not a frame.

    def emits(self, *frames: Frame) -> Self:
        """Writes frames; each gets an id and the session's id if it has none."""
        for frame in frames:
            self.actions.append({"emit": {"uuid": "@UUID@", "session_id": "@SESSION@", **frame}})
        return self

    def writes(self, data: bytes) -> Self:
        """Writes bytes on stdout."""
        self.actions.append({"raw": base64.b64encode(data).decode()})
        return self

    def complains(self, text: str) -> Self:
        """Writes a line on stderr."""
        self.actions.append({"stderr": f"{text}\n"})
        return self

    def waits_for(self, event: str) -> Self:
        """Waits until an event happens after this part began.

        Events: ``prompt`` (a further one), ``control:SUBTYPE`` (a control request that was answered),
        ``answer:REQUEST`` (an answer of the adapter), ``eof`` (of stdin), and those of ``posts``.
        """
        self.actions.append({"wait": event})
        return self

    def waits_for_interrupt(self) -> Self:
        """Waits until an interrupt was answered."""
        return self.waits_for("control:interrupt")

    def waits_for_file(self, path: Path) -> Self:
        """Waits until a file exists."""
        return self.waits_for(f"file:{path}")

    def posts(self, event: str) -> Self:
        """Lets parts go on that wait for an event of this name."""
        self.actions.append({"post": event})
        return self

    def answers(self, response: Frame) -> Self:
        """Answers the control request that this part is for."""
        self.actions.append({"answer": response})
        return self

    def fails(self, error: str, code: str | None = None) -> Self:
        """Answers the control request with an error."""
        self.actions.append({"fail": {"error": error, **({"error_code": code} if code else {})}})
        return self

    def dies(self, number: int = signal.SIGKILL) -> Self:
        """Ends by a signal."""
        self.actions.append({"kill": int(number)})
        return self

    def exits(self, status: int) -> Self:
        """Ends with an exit status."""
        self.actions.append({"exit": status})
        return self

    def goes_silent(self) -> Self:
        """Writes nothing any more, and reads on."""
        self.actions.append({"silence": True})
        return self

    def closes_stdout(self) -> Self:
        """Closes its stdout, and lives on."""
        self.actions.append({"close_stdout": True})
        return self

    # Single frames.

    def state(self, state: str) -> Self:
        """The session's state: running, requires_action, idle."""
        return self.emits({"type": "system", "subtype": "session_state_changed", "state": state})

    def lifecycle(self, state: str, prompt: int | None = None) -> Self:
        """The state of a prompt, this one's or another by number: queued, started, completed, cancelled."""
        uuid = f"@PROMPT{self._name(prompt)}@"
        return self.emits({"type": "command_lifecycle", "command_uuid": uuid, "state": state})

    def echo(self, prompt: int | None = None) -> Self:
        """The echo of a prompt, this one's or another by number."""
        name = self._name(prompt)
        return self._echo(f"@MESSAGE{name}@", name)

    def init(self, mode: str = "default") -> Self:
        """The frame with which a turn begins."""
        frame = {
            "type": "system",
            "subtype": "init",
            "cwd": "@CWD@",
            "tools": ["Task", "Bash", "Edit", "Read", "Write"],
            "mcp_servers": [],
            "model": MODEL,
            "permissionMode": mode,
            "slash_commands": ["compact"],
            "apiKeySource": "ANTHROPIC_API_KEY",
            "output_style": "default",
            "agents": [],
            "skills": [],
            "plugins": [],
            "capabilities": ["interrupt_receipt_v1", "interrupt_cancel_queued_v1", "msg_lifecycle_v1"],
            "user_message_uuids": self._uuids(),
        }
        return self.emits(frame)

    def status(self, status: str | None = "requesting", **fields: Any) -> Self:
        """The status frame before a model call, or another."""
        return self.emits({"type": "system", "subtype": "status", "status": status, **fields})

    def says(self, text: str) -> Self:
        """A user frame with a text that Claude Code wrote itself."""
        return self._user([{"type": "text", "text": text}])

    def result(self, **fields: Any) -> Self:
        """The result of a turn; ``fields`` replace those of a turn that went well."""
        frame = {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "duration_ms": 10,
            "duration_api_ms": 10,
            "num_turns": 1,
            "result": self._text,
            "stop_reason": "end_turn",
            "terminal_reason": "completed",
            "total_cost_usd": 0.0008,
            "usage": USAGE,
            "modelUsage": MODEL_USAGE,
            "permission_denials": [],
            "origin": {"kind": "human"},
            **self._answered(),
            "queued_turn_count": 0,
        }
        return self.emits({**frame, **fields})

    # Sequences.

    def begins(self) -> Self:
        """A turn of this prompt, up to its echo."""
        self.state("running").lifecycle("queued").lifecycle("started")
        return self.init().status().echo()

    def is_queued(self) -> Self:
        """This prompt waits behind a running turn; ``waits_for_queued`` lets that turn's part wait for it."""
        return self.lifecycle("queued").posts(f"queued:{self._number}")

    def waits_for_queued(self, prompt: int) -> Self:
        """Waits until the part of another prompt has said that it is queued."""
        return self.waits_for(f"queued:{prompt}")

    def finishes(self) -> Self:
        """The end of a turn that went well, after which nothing is left to do."""
        return self.ends().state("idle")

    def ends(self, queued: int = 0) -> Self:
        """The end of a turn that went well, with so many prompts in the queue."""
        for name in self._folded:
            self._lifecycle("completed", name)
        self.result(queued_turn_count=queued)
        for name in self._turn:
            self._lifecycle("completed", name)
        return self

    def takes_in(self, *prompts: int) -> Self:
        """Folds queued prompts into the running turn; it comes right after a tool result."""
        for prompt in prompts:
            self.echo(prompt)
        for prompt in prompts:
            self.lifecycle("started", prompt)
        self._folded += [f":{prompt}" for prompt in prompts]
        return self.status(user_message_uuids=self._uuids())

    def goes_on_with(self, *prompts: int) -> Self:
        """A turn of queued prompts, all of them together, right after the end of this part's turn."""
        self._turn = [f":{prompt}" for prompt in prompts]
        self._folded = []
        self._replied = False
        for prompt in prompts[:-1]:
            self.echo(prompt)
        for prompt in prompts:
            self.lifecycle("started", prompt)
        merged = f"@MERGED:{','.join(str(prompt) for prompt in prompts)}@"
        return self.init().status(user_message_uuids=self._uuids())._echo(merged, self._turn[-1])

    def streams(self, *chunks: str) -> Self:
        """A message of text, in chunks."""
        return self.starts_text(*chunks).ends_text()

    def starts_text(self, *chunks: str) -> Self:
        """The beginning of a message of text, in chunks."""
        self._start_message()
        self._start_block({"type": "text", "text": ""})
        self._text = ""
        return self.adds_text(*chunks)

    def adds_text(self, *chunks: str) -> Self:
        """More text of the message that has begun."""
        for chunk in chunks:
            self._text += chunk
            self._delta({"type": "text_delta", "text": chunk})
        return self

    def ends_text(self) -> Self:
        """The end of a message of text."""
        self._assistant([{"type": "text", "text": self._text}])
        return self._end_block()._end_message("end_turn")

    def thinks(self, text: str) -> Self:
        """A message that only has a thought."""
        self._start_message()
        self._start_block({"type": "thinking", "thinking": "", "signature": ""})
        self._delta({"type": "thinking_delta", "thinking": text})
        self._assistant([{"type": "thinking", "thinking": text, "signature": "c2ln"}])
        return self._end_block()._end_message("end_turn")

    def calls(self, tool: str, arguments: Frame, use: str = "toolu_1") -> Self:
        """A message with a tool call, its input streamed in two pieces."""
        self._start_message()
        self._start_block({"type": "tool_use", "id": use, "name": tool, "input": {}})
        text = json.dumps(arguments)
        for piece in (text[: len(text) // 2], text[len(text) // 2 :]):
            self._delta({"type": "input_json_delta", "partial_json": piece})
        self._assistant([{"type": "tool_use", "id": use, "name": tool, "input": arguments}])
        return self._end_block()._end_message("tool_use")

    def asks(self, tool: str, arguments: Frame, use: str = "toolu_1", request: str = "ask_1", **fields: Any) -> Self:
        """Asks whether a tool may run, and does not wait for the answer."""
        asked = {"tool_name": tool, "display_name": tool, "input": arguments, "tool_use_id": use, **fields}
        frame = {"type": "control_request", "request_id": request, "request": {"subtype": "can_use_tool", **asked}}
        self.state("requires_action").actions.append({"emit": frame})
        return self

    def is_answered(self, request: str = "ask_1") -> Self:
        """Waits for the answer to a question; the session runs on."""
        return self.waits_for(f"answer:{request}").state("running")

    def withdraws(self, request: str = "ask_1") -> Self:
        """Takes a question back."""
        self.actions.append({"emit": {"type": "control_cancel_request", "request_id": request}})
        return self

    def returns(self, content: Any, use: str = "toolu_1", structured: Any = None, **fields: Any) -> Self:
        """The result of a tool call; ``fields`` are those of its block, such as ``is_error``."""
        block = {"type": "tool_result", "tool_use_id": use, "content": content, **fields}
        return self._user([block], **({} if structured is None else {"tool_use_result": structured}))

    def runs_command(self, command: str, output: str, use: str = "toolu_1", *, asks: bool = True) -> Self:
        """A whole Bash call: the call, the question unless it needs none, and the result."""
        arguments = {"command": command, "description": "Run it"}
        self.calls("Bash", arguments, use)
        if asks:
            self.asks("Bash", arguments, use, f"ask_{use}").is_answered(f"ask_{use}")
        structured = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return self.returns(output, use, structured, is_error=False).status(user_message_uuids=self._uuids())

    def is_interrupted(self) -> Self:
        """What follows an interrupt while text streams, or before any text came."""
        streamed = self._open
        if streamed:
            self._assistant([{"type": "text", "text": self._text}], aborted=True)
        self.says(INTERRUPTED)
        if streamed:
            self._end_block()._end_message(None)
        return self._abort("aborted_streaming", None)

    def is_steered_away(self) -> Self:
        """What follows a prompt with priority ``now`` while text streams; the turn of that prompt comes next."""
        self._assistant([{"type": "text", "text": self._text}], aborted=True)._end_block()._end_message(None)
        self.result(terminal_reason="aborted_streaming", stop_reason=None, queued_turn_count=1)
        return self._lifecycle("cancelled", self._turn[0])

    def is_interrupted_in_tool(self, use: str = "toolu_1") -> Self:
        """What follows an interrupt while a tool runs or waits for a permission."""
        self._user(
            [{"type": "tool_result", "content": REJECTED, "is_error": True, "tool_use_id": use}],
            tool_use_result="User rejected tool use",
            tool_result_meta=[{"id": use, "non_execution_kind": "user-rejected"}],
        )
        return self.says(INTERRUPTED_FOR_TOOL)._abort("aborted_tools", "tool_use")

    # What sequences are made of.

    def _name(self, prompt: int | None) -> str:
        return self._own if prompt is None else f":{prompt}"

    def _uuids(self) -> list[str]:
        return [f"@PROMPT{name}@" for name in self._turn + self._folded]

    def _answered(self) -> Frame:
        return {"user_message_uuid": f"@PROMPT{self._turn[-1]}@", "user_message_uuids": self._uuids()}

    def _echo(self, message: str, name: str) -> Self:
        frame = {"type": "user", "message": message, "uuid": f"@PROMPT{name}@", "isReplay": True}
        return self.emits({**frame, "parent_tool_use_id": None, "origin": {"kind": "human"}})

    def _lifecycle(self, state: str, name: str) -> Self:
        return self.emits({"type": "command_lifecycle", "command_uuid": f"@PROMPT{name}@", "state": state})

    def _abort(self, reason: str, stop: str | None) -> Self:
        errors = ["[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"]
        fields = {"subtype": "error_during_execution", "is_error": True, "errors": errors}
        self.result(**fields, terminal_reason=reason, stop_reason=stop)
        return self._lifecycle("cancelled", self._turn[0]).state("idle")

    def _user(self, content: list[Frame], **fields: Any) -> Self:
        message = {"role": "user", "content": content}
        return self.emits({"type": "user", "message": message, "parent_tool_use_id": None, **fields})

    def _stream(self, event: Frame, **fields: Any) -> Self:
        message = {"api_message_id": self._message()["id"], "parent_tool_use_id": None}
        return self.emits({"type": "stream_event", "event": event, **message, **fields})

    def _message(self) -> Frame:
        head = {
            "id": f"@REPLY:{self._messages}@",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [],
        }
        return {**head, "stop_reason": None, "stop_sequence": None, "usage": USAGE}

    def _reply_to(self) -> Frame:
        return {} if self._replied else self._answered()

    def _start_message(self) -> None:
        self._messages += 1
        self._blocks = 0
        self._stream({"type": "message_start", "message": self._message()}, **self._reply_to())

    def _start_block(self, block: Frame) -> None:
        self._stream({"type": "content_block_start", "index": self._blocks, "content_block": block})
        self._blocks += 1
        self._open = True

    def _delta(self, delta: Frame) -> None:
        self._stream({"type": "content_block_delta", "index": self._blocks - 1, "delta": delta})

    def _assistant(self, content: list[Frame], **fields: Any) -> Self:
        message = {**self._message(), "content": content}
        reply = self._reply_to()
        self._replied = True
        return self.emits({"type": "assistant", "message": message, "parent_tool_use_id": None, **reply, **fields})

    def _end_block(self) -> Self:
        return self._stream({"type": "content_block_stop", "index": self._blocks - 1})

    def _end_message(self, stop: str | None) -> Self:
        self._open = False
        delta = {"stop_reason": stop, "stop_sequence": None}
        self._stream({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 20}})
        return self._stream({"type": "message_stop"})
