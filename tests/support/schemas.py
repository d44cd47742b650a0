"""Checks the messages of an agent against the ACP schema of their version and against our own schema of additions.

The published schemas also accept what later versions may add. An agent sends only what it knows, so they are narrowed
before they are used:

1. A union whose variants are told apart by a property (`sessionUpdate`, `type`, `state` …) is decided by that property
   alone. A value that names no variant is an error: the variants for "any other value" are dropped.
2. An open enum accepts its known values and those that begin with `_`, which ACP leaves to implementations.
3. A property that a type does not have is an error, since ACP reserves all names outside of `_meta`.
4. `_meta` has only keys that `schemas/air.json` gives it at its place.

Formats (`date-time`, `uri` …) are not checked.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Message = dict[str, Any]
Schema = Any
"""A JSON schema: a dict or a bool."""

SCHEMAS = Path(__file__).parents[2] / "schemas"
SHOWN = 200
"""Characters of a message or of a value that an error quotes."""

UNION = "x-union"
PROPERTIES = "x-properties"
KINDS = ("Request", "Notification", "Response")
"""How the names of the definitions end that belong to a method."""
UNSUPPORTED_VERSION = -32022


class Union(NamedTuple):
    """A union that one property decides.

    Attributes:
        property: The property's name.
        variants: What holds for each of its values: a schema, or `Names`.
        other: What holds for a value without the property; None when there must be one.
        complete: Whether a value that names no variant is wrong even if `other` is there.
    """

    property: str
    variants: Mapping[str, Any]
    other: Any
    complete: bool

    @classmethod
    def of(cls, branches: Sequence[Schema]) -> Union | None:
        """Reads the list of an `anyOf` or `oneOf`; None when no property tells the branches apart."""
        named = [(name, branch) for branch in branches if (name := constant_property(branch)) is not None]
        if not named:
            return None
        name = named[0][0]
        rest = [branch for branch in branches if constant_property(branch) is None]
        others = [branch for branch in rest if "not" not in branch]
        assert len(others) <= 1, f"{len(others)} variants do without {name}"
        variants = {branch["properties"][name]["const"]: branch for _, branch in named}
        return cls(name, variants, others[0] if others else None, complete=len(others) < len(rest))


class Names(NamedTuple):
    """The properties that a value may have: those that it may have in any case, and those of its variants."""

    common: frozenset[str]
    unions: tuple[Union, ...]

    def of(self, value: Message) -> frozenset[str] | None:
        """Returns the names for one value; None when its variant leaves them open, or when it has no variant."""
        names = self.common
        for union in self.unions:
            variant = union.variants.get(str(value.get(union.property)), union.other)
            found = variant.of(value) if variant is not None else None
            if found is None:
                return None
            names |= found
        return names


def constant_property(branch: Schema) -> str | None:
    """Returns the name of the required property that has one string as its only value."""
    for name, schema in branch.get("properties", {}).items():
        if name in branch.get("required", ()) and isinstance(schema, dict) and isinstance(schema.get("const"), str):
            return str(name)
    return None


def narrow_enum(branches: Sequence[Schema]) -> Schema | None:
    """Returns the one schema that an `anyOf` or `oneOf` of string constants amounts to; None for any other list."""
    values = [branch["const"] for branch in branches if "const" in branch]
    rest = [branch for branch in branches if "const" not in branch]
    if not values or not all(isinstance(value, str) for value in values) or rest not in ([], [{"type": "string"}]):
        return None
    if not rest:
        return {"type": "string", "enum": values}
    return {"type": "string", "pattern": f"^(?:{'|'.join(map(re.escape, values))}|_.*)$"}


class Narrowing:
    """Turns definitions of a schema into what an agent may send, as the module's docstring says.

    Args:
        definitions: The `$defs` of a schema.
        places: The definition of `_meta` in each type; the types that are absent have `otherMeta`.
    """

    def __init__(self, definitions: Mapping[str, Schema], places: Mapping[str, str]) -> None:
        self._definitions = definitions
        self._places = places

    def run(self) -> dict[str, Schema]:
        """Returns the narrowed definitions."""
        return {name: self._part(schema, name) for name, schema in self._definitions.items()}

    def whole(self, schema: Schema, owner: str) -> Schema:
        """Narrows the schema of a whole value, as opposed to one of several schemas that apply to a value together."""
        part, names = self._part(schema, owner), self._properties(schema)
        return part if names is None else {**part, PROPERTIES: names}

    def _part(self, schema: Schema, owner: str) -> Schema:
        if not isinstance(schema, dict):
            return schema
        narrowed: dict[str, Any] = {}
        for keyword, value in schema.items():
            match keyword:
                case "properties":
                    narrowed[keyword] = {name: self._property(name, part, owner) for name, part in value.items()}
                case "items" | "additionalProperties":
                    narrowed[keyword] = self.whole(value, owner)
                case "allOf":
                    narrowed[keyword] = [self._part(part, owner) for part in value]
                case "anyOf" | "oneOf":
                    narrowed |= self._alternatives(keyword, value, owner)
                case _:
                    narrowed[keyword] = value
        return narrowed

    def _property(self, name: str, schema: Schema, owner: str) -> Schema:
        if name == "_meta":
            return {"$ref": f"#/$defs/{self._places.get(owner, 'otherMeta')}"}
        return self.whole(schema, owner)

    def _alternatives(self, keyword: str, branches: Sequence[Schema], owner: str) -> dict[str, Any]:
        if (enum := narrow_enum(branches)) is not None:
            return dict(enum)
        if (union := Union.of(branches)) is None:
            return {keyword: [self._part(branch, owner) for branch in branches]}
        variants = {value: self._part(branch, owner) for value, branch in union.variants.items()}
        return {UNION: union._replace(variants=variants, other=self._part(union.other, owner))}

    def _properties(self, schema: Schema) -> Names | None:
        """Returns the names that properties of a value may have; None when the schema leaves them open."""
        if not isinstance(schema, dict) or schema.get("additionalProperties", False) is not False:
            return None
        parts, unions = list(schema.get("allOf", ())), []
        if "$ref" in schema:
            parts.append(self._definitions[schema["$ref"].rpartition("/")[2]])
        for branches in (schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema):
            if (union := Union.of(branches)) is None:
                parts += branches
            else:
                variants = {value: self._properties(branch) for value, branch in union.variants.items()}
                unions.append(union._replace(variants=variants, other=self._properties(union.other)))
        if not parts and not unions and "properties" not in schema and "object" in schema.get("type", "object"):
            return None
        found = [self._properties(part) for part in parts]
        if None in found:
            return None
        names = [Names(frozenset(schema.get("properties", ())), tuple(unions)), *filter(None, found)]
        return Names(frozenset().union(*(part.common for part in names)), sum((part.unions for part in names), ()))


def check_union(validator: Any, union: Union, value: Any, _schema: Schema) -> Iterator[ValidationError]:
    """Implements the keyword of a narrowed union."""
    if not isinstance(value, dict):
        yield ValidationError(f"{value!r} is not of type 'object'")
        return
    name = value.get(union.property)
    if isinstance(name, str) and name in union.variants:
        yield from validator.descend(value, union.variants[name])
    elif union.other is not None and not (isinstance(name, str) and union.complete):
        yield from validator.descend(value, union.other)
    elif name is None:
        yield ValidationError(f"{union.property!r} is a required property")
    else:
        problem = f"{name!r} is none of {', '.join(union.variants)}"
        yield ValidationError(problem, path=(union.property,), instance=name)


def check_properties(_validator: Any, names: Names, value: Any, _schema: Schema) -> Iterator[ValidationError]:
    """Implements the keyword that lists all properties of a type."""
    if isinstance(value, dict) and (known := names.of(value)) is not None:
        for name in sorted(value.keys() - known):
            yield ValidationError(f"{name!r} is no property of this type", path=(name,), instance=value[name])


# The stubs of jsonschema leave this function untyped.
extended: Callable[..., Any] = extend
Validator = extended(Draft202012Validator, {UNION: check_union, PROPERTIES: check_properties})


class Document:
    """The schema of a protocol version with our additions, narrowed, and compiled where it is used."""

    def __init__(self, version: int) -> None:
        acp = load(f"acp/v{version}/unstable.json")
        additions = load("air.json")
        assert not acp.keys() & additions.keys()
        if version == 1:
            add_drafts(acp, additions.values())
        definitions = {**acp, **additions}
        places = {name: place for place, schema in additions.items() for name in schema.get("x-acp-types", ())}
        self._narrowing = Narrowing(definitions, places)
        self._uri = f"urn:acp:v{version}"
        resource = DRAFT202012.create_resource({"$defs": self._narrowing.run()})
        self._registry: Registry[Any] = Registry().with_resource(self._uri, resource)
        self._validators: dict[str, Any] = {}
        self._methods: dict[tuple[str, str, str], str] = {}
        for name, schema in definitions.items():
            if "x-method" in schema:
                kind = next(kind for kind in KINDS if name.endswith(kind))
                self._methods[schema["x-side"], kind, schema["x-method"]] = name

    def definition(self, side: str, kind: str, method: str) -> str | None:
        """Returns the name of the `Request`, `Notification` or `Response` of a method that a side handles."""
        return self._methods.get((side, kind, method)) or self._methods.get(("protocol", kind, method))

    def error(self, name: str, value: Any) -> ValidationError | None:
        """Returns what is most wrong with a value of a definition, or None."""
        if name not in self._validators:
            schema = self._narrowing.whole({"$ref": f"{self._uri}#/$defs/{name}"}, name)
            self._validators[name] = Validator(schema, registry=self._registry)
        worst: ValidationError | None = best_match(self._validators[name].iter_errors(value))
        return worst


def load(path: str) -> dict[str, Schema]:
    """Returns the definitions of a file below `schemas/`."""
    definitions: dict[str, Schema] = json.loads((SCHEMAS / path).read_bytes())["$defs"]
    return definitions


def add_drafts(acp: dict[str, Schema], additions: Iterable[Schema]) -> None:
    """Adds the session updates and the properties to version 1 that only AIR knows."""
    for schema in additions:
        if "x-session-update" in schema:
            acp["SessionUpdate"]["oneOf"].append(schema)
        if "x-acp-extends" in schema:
            acp[schema["x-acp-extends"]]["properties"].update(schema["properties"])


@cache
def document(version: int) -> Document:
    """Returns the schema of a protocol version; it is read and compiled once in a process."""
    return Document(version)


class SchemaChecker:
    """Checks what an agent sends on one connection.

    Args:
        version: The protocol version, 1 or 2. Messages are checked against its unstable schema, which has everything
            that the stable one has.
    """

    def __init__(self, version: int) -> None:
        self._version = version
        self._document = document(version)
        self._open: dict[str, list[str]] = {}
        self._answered: set[str] = set()

    def client_sent(self, message: Any) -> None:
        """Remembers the requests among what the client sent: a message or a batch, which may be malformed."""
        for entry in message if isinstance(message, list) else [message]:
            if isinstance(entry, dict) and "id" in entry and not entry.keys() & {"result", "error"}:
                self._open.setdefault(json.dumps(entry["id"]), []).append(str(entry.get("method")))

    def agent_sent(self, message: Any) -> None:
        """Checks a message of the agent, or each message of a batch.

        An error may answer a message that `client_sent` was not told of, such as a line that is no JSON; a result may
        not.

        Raises:
            AssertionError: The message is invalid; the text has its method, the JSON path, and the value there.
        """
        entries = message if isinstance(message, list) else [message]
        if not entries:
            self._fail("message", "$", "an empty batch", message)
        for entry in entries:
            if not isinstance(entry, dict) or entry.get("jsonrpc") != "2.0":
                self._fail("message", "$", "no JSON-RPC 2.0 message", entry)
            if "method" in entry:
                self._check_call(entry)
            else:
                self._check_answer(entry)

    def _check_call(self, entry: Message) -> None:
        method, kind = str(entry["method"]), "Request" if "id" in entry else "Notification"
        self._check_envelope(method, entry, {"id", "method", "params"})
        if kind == "Request":
            self._check_value(method, "$.id", "RequestId", entry["id"])
        name = self._document.definition("client", kind, method)
        if name is not None:
            self._check_value(method, "$.params", name, entry.get("params", {}))
        elif not method.startswith("_"):
            self._fail(method, "$.method", f"an agent sends no {kind.lower()} of this name", method)

    def _check_answer(self, entry: Message) -> None:
        method = self._method_of(entry)
        what = f"response to {method}" if method else "response"
        self._check_envelope(what, entry, {"id", "error" if "error" in entry else "result"})
        if "error" in entry:
            self._check_error(what, entry["error"])
            return
        if "result" not in entry:
            self._fail(what, "$", "neither a result nor an error", entry)
        if method is None:
            self._fail(what, "$.id", "a result that answers no open request", entry.get("id"))
        name = self._document.definition("agent", "Response", method)
        if name is not None:
            self._check_value(what, "$.result", name, entry["result"])
        elif not method.startswith("_"):
            self._fail(what, "$.result", "the method does not exist, so it has no result", entry["result"])

    def _check_error(self, what: str, error: Any) -> None:
        self._check_value(what, "$.error", "Error", error)
        if self._version > 1 and error["code"] == UNSUPPORTED_VERSION:
            self._check_value(what, "$.error.data", "UnsupportedProtocolVersionErrorData", error.get("data"))

    def _method_of(self, answer: Message) -> str | None:
        """Takes the request that a message answers; None when it answers none that is known."""
        key = json.dumps(answer.get("id"))
        if methods := self._open.get(key):
            self._answered.add(key)
            return methods.pop(0)
        if key in self._answered:
            self._fail("response", "$.id", "a second answer to a request", answer["id"])
        return None

    def _check_envelope(self, what: str, entry: Message, names: set[str]) -> None:
        if "method" not in entry and "id" not in entry:
            self._fail(what, "$", "a response without an id", entry)
        for name in sorted(entry.keys() - names - {"jsonrpc"}):
            self._fail(what, f"$.{name}", f"{name!r} has no place in this message", entry[name])

    def _check_value(self, what: str, path: str, name: str, value: Any) -> None:
        error = self._document.error(name, value)
        if error is not None:
            self._fail(what, path + error.json_path[1:], error.message, error.instance)

    def _fail(self, what: str, path: str, problem: str, value: Any) -> NoReturn:
        shown = json.dumps(value, ensure_ascii=False, default=repr)
        raise AssertionError(f"{what} (ACP v{self._version}): {path}: {problem[:SHOWN]}; the value: {shown[:SHOWN]}")


def check_all(log: Iterable[tuple[str, Any]], version: int) -> None:
    """Checks a recorded log of `(direction, message)`; `<` is the agent, `>` the client, `>raw` a line of the client.

    Raises:
        AssertionError: A message of the agent is invalid; the text begins with its index in the log.
    """
    checker = SchemaChecker(version)
    for index, (direction, message) in enumerate(log):
        if direction == ">":
            checker.client_sent(message)
        elif direction == "<":
            try:
                checker.agent_sent(message)
            except AssertionError as error:
                raise AssertionError(f"entry {index}: {error}") from None


def check_addition(name: str, value: Any) -> None:
    """Checks a value against a definition of `schemas/air.json`, such as the `_meta` of one place.

    Raises:
        AssertionError: The value is invalid; the text has the JSON path.
    """
    error = document(1).error(name, value)
    if error is not None:
        raise AssertionError(f"{name}: {error.json_path}: {error.message[:SHOWN]}")
