"""What both versions' request models share, and the one way to validate parameters."""

from __future__ import annotations

from functools import reduce
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from adapter.shared.jsonrpc.errors import ClientMistake, invalid_field, invalid_params

Json = dict[str, Any]
Problem = tuple[list[str], str]
"""The path of a wrong field, and what is wrong with it."""


class Wire(BaseModel):
    """A message part. Unknown fields are kept out, not refused: a newer client may send more."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, strict=True, frozen=True)


Model = TypeVar("Model", bound=Wire)


class OfSession(Wire):
    """The parameters of a method that names nothing but its session, and the base of those that say more."""

    sessionId: str  # noqa: N815


class WithMeta(Wire):
    """Parameters whose `_meta` counts; it is read by `client_capabilities`."""

    meta: Any = Field(default=None, alias="_meta")


class TextBlock(Wire):
    """ACP `TextContent`."""

    type: Literal["text"]
    text: str


class SystemPrompt(Wire):
    """ACP `SystemPrompt` (unstable): texts in place of Claude Code's own system prompt, or behind it."""

    mode: Literal["append", "override"]
    content: list[TextBlock]


class OpensSession(WithMeta):
    """What the methods that open a session have in common."""

    cwd: str
    additionalDirectories: list[str] | None = None  # noqa: N815
    systemPrompt: SystemPrompt | None = None  # noqa: N815


class OpensKnown(OpensSession, OfSession):
    """The parameters of the methods that open a session which the client names."""

    mcpServers: list[dict[str, Any]] | None = None  # noqa: N815


class ListSessions(Wire):
    """`ListSessionsRequest`."""

    cwd: str | None = None
    cursor: str | None = None
    archived: str | None = None


class SetTitle(OfSession):
    """`SetSessionTitleRequest`."""

    title: str


class ImageBlock(Wire):
    """ACP `ImageContent`; `data` is base64."""

    type: Literal["image"]
    data: str
    mimeType: str  # noqa: N815
    uri: str | None = None


class AudioBlock(Wire):
    """ACP `AudioContent`; `data` is base64."""

    type: Literal["audio"]
    data: str
    mimeType: str  # noqa: N815


class ResourceLinkBlock(Wire):
    """ACP `ResourceLink`."""

    type: Literal["resource_link"]
    uri: str
    name: str


class TextResource(Wire):
    """ACP `TextResourceContents`."""

    uri: str
    text: str
    mimeType: str | None = None  # noqa: N815


class BlobResource(Wire):
    """ACP `BlobResourceContents`; `blob` is base64."""

    uri: str
    blob: str
    mimeType: str | None = None  # noqa: N815


class ResourceBlock(Wire):
    """ACP `EmbeddedResource`."""

    type: Literal["resource"]
    resource: TextResource | BlobResource


ContentBlock = Annotated[
    TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | ResourceBlock, Field(discriminator="type")
]


class NameValue(Wire):
    """ACP `EnvVariable` and `HttpHeader`."""

    name: str
    value: str


class StdioServer(Wire):
    """ACP `McpServerStdio`."""

    name: str
    command: str
    args: list[str] = []
    env: list[NameValue] = []


class RemoteServer(Wire):
    """ACP `McpServerHttp` and `McpServerSse`."""

    type: Literal["http", "sse"]
    name: str
    url: str
    headers: list[NameValue] = []


class ClientServer(Wire):
    """ACP `McpServerAcp` (unstable): a server that the client provides over the connection."""

    name: str
    serverId: str  # noqa: N815


def parse(model: type[Model], params: Any) -> Model:
    """Validate parameters.

    Raises:
        ClientMistake: -32602 whose text names the first wrong field, and whose `data` has all of them as a tree.
    """
    try:
        return model.model_validate({} if params is None else params)
    except ValidationError as error:
        fields = _fields(_problems(model, {} if params is None else params))
        raise _mistake(error, fields=fields) from None


def parse_mcp_server(server: Json, path: str, types: tuple[str, ...]) -> tuple[str, Json]:
    """A client's MCP server as Claude Code's configuration: (name, configuration).

    Args:
        server: As the client sent it; one without a `type` is an HTTP server if it has a URL, else a stdio server.
        path: Where it stands in the request.
        types: The transports that this protocol version offers.

    Raises:
        ClientMistake: The server is malformed or of a type that cannot be served; `data.path` begins with `path`.
    """
    kind = server.get("type", "http" if "url" in server else "stdio")
    if kind not in types:
        message = f"MCP servers of type {kind} are not supported; use {', '.join(types)}"
        raise invalid_field(f"{path}.type", message)
    if kind == "acp":
        name = _validated(ClientServer, server, path).name
        return name, {"type": "sdk", "name": name}
    if kind != "stdio":
        remote = _validated(RemoteServer, {**server, "type": kind}, path)
        headers = {header.name: header.value for header in remote.headers}
        return remote.name, {"type": remote.type, "url": remote.url, "headers": headers}
    local = _validated(StdioServer, server, path)
    variables = {variable.name: variable.value for variable in local.env}
    return local.name, {"type": "stdio", "command": local.command, "args": local.args, "env": variables}


def client_servers(servers: list[Json]) -> dict[str, str]:
    """The client's ids of those servers that it provides itself, by name; `servers` are valid."""
    return {server["name"]: server["serverId"] for server in servers if server.get("type") == "acp"}


def _validated(model: type[Model], value: Json, path: str) -> Model:
    try:
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        raise _mistake(error, path) from None


def _mistake(error: ValidationError, prefix: str = "", fields: Json | None = None) -> ClientMistake:
    errors = error.errors(include_url=False, include_input=False)
    first = errors[0]
    if not RESOURCE_MODELS.isdisjoint(first["loc"]):
        # Each of the two kinds of resource has its errors: a field that is there and wrong says which kind was meant.
        first = next((one for one in errors if one["type"] != "missing"), first)
    steps, message = _field_path(first["loc"]), first["msg"]
    if first["type"].startswith("union_tag"):
        context = first.get("ctx", {})
        steps.append("type")
        message = f"must be one of {context.get('expected_tags', ', '.join(sorted(BLOCKS)))}"
    path = ".".join([prefix, *steps] if prefix else steps)
    data = {"path": path, "message": message} if fields is None else fields
    return invalid_params(f"{path or 'params'}: {message}", data)


def _fields(problems: list[Problem]) -> Json:
    """All wrong fields in the form of ACP's TypeScript SDK: `_errors` at each step of a field's path."""
    tree: Json = {"_errors": []}
    for steps, text in problems:
        node = tree
        for step in steps:
            node = node.setdefault(step, {"_errors": []})
        node["_errors"].append(text)
    return tree


def _problems(model: type[Wire], params: Any) -> list[Problem]:
    """What is wrong with each field of some parameters; of a block of an unknown type, with it as each known one."""
    try:
        model.model_validate(params)
    except ValidationError as error:
        errors = error.errors(include_url=False)
    else:
        return []
    gaps = [_field_path(wrong["loc"]) for wrong in errors if wrong["type"] == "missing"]
    if gaps:
        return _problems(model, reduce(_with_undefined, gaps, params))
    found: list[Problem] = []
    for wrong in errors:
        steps, received = _field_path(wrong["loc"]), wrong["input"]
        if not wrong["type"].startswith("union_tag"):
            found.append((steps, _problem(wrong["type"], wrong["msg"], received)))
            continue
        for kind, block in BLOCKS.items():
            found.append(([*steps, "type"], f'Invalid input: expected "{kind}"'))
            found += [([*steps, *inner], text) for inner, text in _problems(block, {**received, "type": kind})]
    return found


def _with_undefined(node: Any, gap: list[str]) -> Any:
    """A copy that has a value of no type where a field is missing: what Pydantic says of it names the type."""
    copy: Any = list(node) if isinstance(node, list) else dict(node)
    step: Any = int(gap[0]) if isinstance(node, list) else gap[0]
    copy[step] = _with_undefined(copy[step], gap[1:]) if gap[1:] else UNDEFINED
    return copy


def _problem(kind: str, message: str, received: Any) -> str:
    expected = EXPECTED.get(kind)
    return message if expected is None else f"Invalid input: expected {expected}, received {_json_type(received)}"


def _json_type(value: Any) -> str:
    if value is UNDEFINED:
        return "undefined"
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    kinds = ((str, "string"), (int | float, "number"), (list, "array"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "object")


def _field_path(steps: tuple[int | str, ...]) -> list[str]:
    """The steps of a message's own fields, without those that pydantic adds for the member of a union."""
    path: list[str] = []
    after_index = False
    for step in steps:
        is_member = (after_index and step in BLOCKS) or step in RESOURCE_MODELS or step in SCALARS
        after_index = isinstance(step, int)
        if not is_member:
            path.append(str(step))
    return path


UNDEFINED = object()
"""Stands where a field is missing."""
BLOCKS: dict[str, type[Wire]] = {
    "text": TextBlock,
    "image": ImageBlock,
    "audio": AudioBlock,
    "resource_link": ResourceLinkBlock,
    "resource": ResourceBlock,
}
EXPECTED = {
    "bool_type": "boolean",
    "dict_type": "object",
    "int_type": "number",
    "list_type": "array",
    "model_type": "object",
    "string_type": "string",
}
"""Pydantic's kinds of a wrong type, in JSON's words."""
RESOURCE_MODELS = frozenset({"TextResource", "BlobResource"})
SCALARS = frozenset({"str", "int", "bool"})
