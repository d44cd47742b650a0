"""Every exemption from a rule, with its reason. One that is not needed any more fails its test: remove it then.

Keys are places inside the package, for a function followed by ``::`` and its qualified name; those of ``BUDGETS`` are
relative to the project. A ``*``, where globs are allowed, crosses slashes and may match nothing.
"""

from __future__ import annotations

BUDGETS: dict[str, str] = {}
"""Modules and functions over a budget of rule 3."""

META: dict[str, str] = {
    "shared/client_capabilities.py": "reads the capabilities of a client, once",
    "shared/wire/common.py": "passes the _meta of a request on to client_capabilities",
    "shared/session_updates.py": "writes what the encoders share",
    "*/encode.py": "writes the wire form of a session",
    "*/initialize.py": "writes the answer to initialize",
    "v1/extensions/*": "an extension lives in it",
    "conformance/*": "is a client, which says and compares it",
}
"""Globs of the modules that may say ``_meta`` (rule 6)."""

ERROR_CODES: dict[str, str] = {
    "shared/jsonrpc/errors.py": "names the codes for the adapter",
    "demo/editor.py": "is a client, and imports nothing of the adapter",
    "conformance/client.py": "is a client as well",
}
"""Modules that may write JSON-RPC error codes (rule 8)."""

BROAD_EXCEPT: dict[str, str] = {
    "serve.py::Server._load": "a core that cannot be loaded ends the program in order",
    "shared/agent_base.py::AgentBase.request": "our bug costs one request its result, not the connection",
    "shared/request_tasks.py::RequestTasks._answer": "the same for a request that is answered later",
    "shared/opening.py::SessionOpener.open": "stops the process that was started, and raises again",
    "shared/session_methods.py::SessionMethods._open": "stops the process that was started, and raises again",
    "shared/driver.py::SessionDriver._handle": "our bug costs one input its effects, not the session",
    "shared/driver.py::SessionDriver._perform": "the same for one effect",
    "shared/driver.py::SessionDriver._restart": "whatever stops a start fails the prompts that wait for it",
    "shared/launch.py::Launcher._start": "stops the process that was started, whatever happened, and raises again",
}
"""Functions that may catch every exception, each in one place (rule 8)."""

STDOUT: dict[str, str] = {
    "serve.py": "takes stdout away from everybody else before the first message",
    "demo/*": "talks to a person, not to a client",
    "conformance/*": "talks to a person, or is a server of its own",
}
"""Globs of the modules that may touch stdout (rule 9)."""

ENVIRONMENT: dict[str, str] = {
    "settings.py": "the one reader of the adapter's environment",
    "demo/*": "a program of its own, which starts the adapter as an editor does",
    "conformance/*": "another such program, which starts any agent",
}
"""Globs of the modules that may read the environment."""
