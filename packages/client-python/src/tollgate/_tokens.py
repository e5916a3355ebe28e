from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Protocol


class TokenSource(Protocol):
    """Gives the credential of each request."""

    def get_token(self, rejected: str | None = None) -> str:
        """`rejected`: the token that the service has just refused. The same token again gives up."""


class AsyncTokenSource(Protocol):
    """Gives the credential of each request."""

    async def get_token(self, rejected: str | None = None) -> str:
        """`rejected`: the token that the service has just refused. The same token again gives up."""


class RefreshingToken:
    """Keeps a token that ends fresh, such as a customer's: `mint` asks your backend for a new one.

    `mint` returns what `mint_customer_token` returned: `token`, and `expires_at` as an RFC 3339 time. Threads that need
    a token at the same time share one call of `mint`.
    """

    def __init__(
        self,
        mint: Callable[[], Mapping[str, object]],
        *,
        first: Mapping[str, object] | None = None,
        margin: float = 30.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        """margin: seconds before its end at which a token is replaced; at most half of its time."""
        self._mint = mint
        self._held = _Held(margin, now, first)
        self._lock = threading.Lock()

    def get_token(self, rejected: str | None = None) -> str:
        with self._lock:
            return self._held.find(rejected) or self._held.hold(self._mint())


class AsyncRefreshingToken:
    """The same for `AsyncTollgate`: tasks that need a token at the same time share one call of `mint`."""

    def __init__(
        self,
        mint: Callable[[], Awaitable[Mapping[str, object]]],
        *,
        first: Mapping[str, object] | None = None,
        margin: float = 30.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        """margin: seconds before its end at which a token is replaced; at most half of its time."""
        self._mint = mint
        self._held = _Held(margin, now, first)
        self._lock = asyncio.Lock()

    async def get_token(self, rejected: str | None = None) -> str:
        async with self._lock:
            return self._held.find(rejected) or self._held.hold(await self._mint())


class _Held:
    """The token that is there, and until when it is fresh."""

    def __init__(self, margin: float, now: Callable[[], float], first: Mapping[str, object] | None) -> None:
        self._margin = margin
        self._now = now
        self._token: str | None = None
        self._fresh_until = 0.0
        if first is not None:
            self.hold(first)

    def find(self, rejected: str | None) -> str | None:
        """Returns the token if it may be used. Another thread may have replaced the rejected one already."""
        is_usable = self._token != rejected and self._now() < self._fresh_until
        return self._token if is_usable else None

    def hold(self, issued: Mapping[str, object]) -> str:
        token, expires_at = issued.get("token"), issued.get("expires_at")
        if not isinstance(token, str) or token == "":
            raise TypeError("mint must return a mapping with a token")
        self._token = token
        self._fresh_until = float("inf")
        if isinstance(expires_at, str):
            now = self._now()
            end = datetime.fromisoformat(expires_at).timestamp()
            self._fresh_until = end - min(self._margin, max(0.0, end - now) / 2)
        return token
