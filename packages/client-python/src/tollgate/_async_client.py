from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Self

import httpx

from . import types
from ._async_caller import AsyncCaller, AsyncEventStream, AsyncSettings
from ._error import TollgateError
from ._follow import Following, follow_options
from ._http import Limits, read_base_url
from ._async_operations import AsyncOperations
from ._request import CallOptions
from ._tokens import AsyncTokenSource


class AsyncTollgate(AsyncOperations):
    """The client for asyncio. It keeps connections open: use it with `async with`, or call `aclose()`.

    `credential` is a secret key, a publishable key, a customer's token, an access token, or a source of tokens such as
    `AsyncRefreshingToken`.
    """

    def __init__(
        self,
        base_url: str,
        credential: str | AsyncTokenSource | None = None,
        *,
        timeout: float = 600.0,
        idle_timeout: float = 60.0,
        retries_max: int = 2,
        retry_after_max: float = 60.0,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Times are in seconds.

        timeout: one attempt until its whole answer has arrived, or until a stream starts.
        idle_timeout: a stream that sends nothing for this long has broken; the service sends keepalives every 10 s.
        retries_max: repeats after the first attempt.
        retry_after_max: a server that asks for a longer pause gets no repeat; the error has `retry_after_seconds`.
        http_client: a client of your own, with proxies or certificates; you close it.
        """
        limits = Limits(
            base_url=read_base_url(base_url),
            timeout=timeout,
            idle_timeout=idle_timeout,
            retries_max=retries_max,
            retry_after_max=retry_after_max,
            headers=dict(headers or {}),
        )
        self._owns_http = http_client is None
        super().__init__(AsyncCaller(http_client or httpx.AsyncClient(), AsyncSettings(limits, credential)))

    def with_credential(self, credential: str | AsyncTokenSource) -> AsyncTollgate:
        """Returns a client with another credential, which shares the connections of this one."""
        copy = AsyncTollgate.__new__(AsyncTollgate)
        copy._owns_http = False
        settings = replace(self._caller.settings, credential=credential)
        AsyncOperations.__init__(copy, AsyncCaller(self._caller.http, settings))
        return copy

    async def follow_run(
        self,
        run_id: str,
        *,
        after_seq: int = 0,
        project_id: str | None = None,
        options: CallOptions | None = None,
    ) -> AsyncEventStream[types.RunEvent]:
        """Yields the events of a run until it ends: stored events, then new ones.

        After a broken connection it continues behind the last event, so that each event comes once and in order.
        project_id: with the session of an owner, the project of the run.
        """
        following = Following(after_seq)
        once = follow_options(options)
        while True:
            failure = None
            try:
                async with aclosing(self._open_run(run_id, project_id, following, once)) as events:
                    async for event in events:
                        if following.accept(event):
                            yield event
                        if following.is_ended:
                            return
            except TollgateError as error:
                if not error.retryable:
                    raise
                failure = error
            await self._caller.settings.sleep(following.choose_delay(failure))

    def _open_run(
        self, run_id: str, project_id: str | None, following: Following, options: CallOptions
    ) -> AsyncEventStream[types.RunEvent]:
        query = following.open()
        if project_id is None:
            return self.stream_run_events(run_id, **query, options=options)
        return self.stream_project_run_events(project_id, run_id, **query, options=options)

    async def aclose(self) -> None:
        if self._owns_http:
            await self._caller.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
