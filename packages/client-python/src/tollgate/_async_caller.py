from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import httpx

from ._error import TollgateError
from ._events import EventReader
from ._http import Body, Limits, connection_error, no_answer, read_answer, refuse_redirect, silent_stream
from ._http import to_arguments, to_error
from ._request import ApiRequest, CallOptions, PreparedRequest
from ._tokens import AsyncTokenSource

Event = TypeVar("Event")
Result = TypeVar("Result")

AsyncEventStream: TypeAlias = AsyncGenerator[Event, None]
"""Events of a streamed answer. The request is sent when the first event is asked for; `aclose()` ends it."""


@dataclass(frozen=True, slots=True)
class AsyncSettings:
    limits: Limits
    credential: str | AsyncTokenSource | None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class AsyncCaller:
    """Sends operations: credentials, retries, time limits and streams."""

    def __init__(self, http: httpx.AsyncClient, settings: AsyncSettings) -> None:
        self.http = http
        self.settings = settings

    async def call(self, request: ApiRequest, options: CallOptions | None = None) -> Any:
        given = options or CallOptions()
        limits = self.settings.limits
        prepared = limits.prepare(request, given, is_stream=False)

        async def attempt(token: str | None) -> Any:
            timeout = limits.read_timeout(given)
            body = Body(timeout)
            async with self._open(prepared, token, timeout) as response:
                return read_answer(response, await _read_body(response, body, timeout))

        return await self._repeat(attempt, prepared, given)

    async def stream(self, request: ApiRequest, options: CallOptions | None = None) -> AsyncEventStream[Any]:
        given = options or CallOptions()
        limits = self.settings.limits
        prepared = limits.prepare(request, given, is_stream=True)

        async def attempt(token: str | None) -> tuple[Any, httpx.Response]:
            opened = self._open(prepared, token, limits.read_timeout(given))
            return opened, await opened.__aenter__()

        opened, response = await self._repeat(attempt, prepared, given)
        try:
            reader = EventReader(response.headers)
            async for piece in self._read_pieces(response):
                for event in reader.feed(piece):
                    yield event
                if reader.is_done:
                    return
            for event in reader.end():
                yield event
        finally:
            await opened.__aexit__(None, None, None)

    async def _repeat(
        self, attempt: Callable[[str | None], Awaitable[Result]], prepared: PreparedRequest, options: CallOptions
    ) -> Result:
        repeats = 0
        while True:
            try:
                return await self._attempt_with_token(attempt)
            except TollgateError as error:
                delay = self.settings.limits.choose_delay(error, prepared, options, repeats)
                if delay is None:
                    raise
            await self.settings.sleep(delay)
            repeats += 1

    async def _attempt_with_token(self, attempt: Callable[[str | None], Awaitable[Result]]) -> Result:
        """A refused token is replaced once. A 401 has no effect, so that any request may be sent again."""
        credential = self.settings.credential
        if credential is None or isinstance(credential, str):
            return await attempt(credential)
        token = await credential.get_token()
        try:
            return await attempt(token)
        except TollgateError as error:
            if error.status != 401:
                raise
            other = await credential.get_token(token)
            if other == token:
                raise
        return await attempt(other)

    @asynccontextmanager
    async def _open(
        self, prepared: PreparedRequest, token: str | None, timeout: float
    ) -> AsyncIterator[httpx.Response]:
        """Yields the answer before its body is read. Raises TollgateError for a refusal."""
        body = Body(timeout)
        request = self.http.build_request(**to_arguments(prepared, token, timeout))
        try:
            response = await self.http.send(request, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            raise no_answer(timeout) from error
        except httpx.HTTPError as error:
            raise connection_error(request.url, error) from error
        try:
            refuse_redirect(response)
            if not response.is_success:
                raise to_error(response, await _read_body(response, body, timeout))
            yield response
        finally:
            await response.aclose()

    async def _read_pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        idle_timeout = self.settings.limits.idle_timeout
        # The transport reads this when it waits for the next piece.
        response.request.extensions["timeout"]["read"] = idle_timeout
        try:
            async for piece in response.aiter_bytes():
                yield piece
        except httpx.TimeoutException as error:
            raise silent_stream(idle_timeout) from error
        except httpx.HTTPError as error:
            raise connection_error(response.request.url, error) from error


async def _read_body(response: httpx.Response, body: Body, timeout: float) -> bytes:
    try:
        async for piece in response.aiter_bytes():
            body.add(piece)
    except httpx.TimeoutException as error:
        raise no_answer(timeout) from error
    except httpx.HTTPError as error:
        raise connection_error(response.request.url, error) from error
    return body.join()
