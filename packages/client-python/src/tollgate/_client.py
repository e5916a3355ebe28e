from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

import httpx

from ._caller import Caller, Settings
from ._operations import Operations


class Tollgate(Operations):
    """A client of one gateway. It keeps connections open: use it as a context manager, or call `close()`.

    `credential` is a secret key, a publishable key, a customer's token or an access token.
    """

    def __init__(
        self,
        base_url: str,
        credential: str | None = None,
        *,
        timeout: float = 600.0,
        idle_timeout: float = 60.0,
        retries_max: int = 2,
        retry_after_max: float = 60.0,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Times are in seconds.

        timeout: one attempt until its whole answer has arrived, or until a stream starts.
        idle_timeout: a stream that sends nothing for this long has broken; the service sends keepalives every 10 s.
        retries_max: repeats after the first attempt.
        retry_after_max: a server that asks for a longer pause gets no repeat; the error has `retry_after_seconds`.
        http_client: a client of your own, with proxies or certificates; you close it.
        """
        if not re.match(r"https?://[^/]", base_url):
            raise ValueError(f"base_url must be an http or https address, not {base_url}")
        settings = Settings(
            base_url=base_url.rstrip("/").removesuffix("/api/v1"),
            credential=credential,
            timeout=timeout,
            idle_timeout=idle_timeout,
            retries_max=retries_max,
            retry_after_max=retry_after_max,
            headers=dict(headers or {}),
        )
        self._owns_http = http_client is None
        super().__init__(Caller(http_client or httpx.Client(), settings))

    def with_credential(self, credential: str) -> Tollgate:
        """Returns a client with another credential, which shares the connections of this one."""
        copy = Tollgate.__new__(Tollgate)
        copy._owns_http = False
        Operations.__init__(copy, Caller(self._caller.http, replace(self._caller.settings, credential=credential)))
        return copy

    def close(self) -> None:
        if self._owns_http:
            self._caller.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
