"""The parameters of the requests about logins and providers, which both versions have in common."""

from __future__ import annotations

from pydantic import Field

from adapter.shared.wire.common import Wire, WithMeta


class Login(WithMeta):
    """ACP v1 `AuthenticateRequest`, v2 `LoginAuthRequest`."""

    methodId: str  # noqa: N815


class SetProvider(WithMeta):
    """`SetProviderRequest`."""

    providerId: str  # noqa: N815
    apiType: str  # noqa: N815
    baseUrl: str  # noqa: N815
    headers: dict[str, str] = Field(default_factory=dict)


class DisableProvider(Wire):
    """`DisableProviderRequest`."""

    providerId: str  # noqa: N815
