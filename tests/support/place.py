"""Where an adapter runs in tests."""

from adapter.conformance.place import ADAPTER, DEFAULT_SETTINGS, SOURCE, Place, write_files

__all__ = ["ADAPTER", "DEFAULT_SETTINGS", "SOURCE", "Place", "write_files"]
