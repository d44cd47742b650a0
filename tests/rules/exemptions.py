"""Every exemption from a rule, with its reason. One that is not needed any more fails its test: remove it then.

Keys are paths from the root that the rule reads, for a function followed by ``::`` and its qualified name.
"""

from __future__ import annotations

BUDGETS: dict[str, str] = {}
"""Modules and functions over a budget of rule 3; keys are relative to the project."""

META: dict[str, str] = {
    "shared/client_capabilities.py": "reads the capabilities of a client, once",
    "shared/tools/render.py": "shapes what a client with an extension sees of a tool call",
    "*/encode.py": "writes the wire form",
    "v1/extensions/*": "an extension lives in it",
}
"""Globs inside the package of the modules that may say ``_meta`` (rule 6); one without ``*`` must be needed."""

ERROR_CODES: dict[str, str] = {
    "shared/jsonrpc/errors.py": "names the codes for the adapter",
    "demo/editor.py": "is a client, and imports nothing of the adapter",
}
"""Modules inside the package that may write JSON-RPC error codes (rule 8)."""

BROAD_EXCEPT: dict[str, str] = {}
"""Functions that may catch every exception, each in one place (rule 8): the ends of loops that must go on."""

STDOUT: dict[str, str] = {
    "shared/jsonrpc/peer.py": "writes the protocol",
    "serve.py": "takes stdout away from everybody else before the first message",
    "demo/*": "talks to a person, not to a client",
}
"""Globs inside the package of the modules that may touch stdout (rule 9)."""

ENVIRONMENT: dict[str, str] = {
    "settings.py": "the one reader of the adapter's environment",
    "scripted/environment.py": "makes the environment of a Claude Code that talks to the scripted model",
    "demo/*": "a program of its own, which starts the adapter as an editor does",
}
"""Globs inside the package of the modules that may read the environment."""
