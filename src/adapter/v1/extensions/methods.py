"""The methods that AIR calls beside ACP's, with the models of their parameters."""

from __future__ import annotations

from adapter.shared.wire.common import OfSession
from adapter.v1.extensions.async_tasks import STOP_METHOD


class StopAsyncTask(OfSession):
    """The parameters of `_session/async_task/stop`."""

    asyncTaskId: str  # noqa: N815


METHODS: dict[str, type[OfSession]] = {STOP_METHOD: StopAsyncTask}
