"""The demo: what an editor shows of a conversation with the adapter, without an account."""

from adapter.demo.command import run

__all__ = ["run"]
