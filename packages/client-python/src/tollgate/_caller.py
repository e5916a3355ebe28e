from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import httpx

from ._error import TollgateError
from ._events import EventReader
from ._http import Body, Limits, connection_error, no_answer, read_answer, refuse_redirect, silent_stream
from ._http import to_arguments, to_error
from ._request import ApiRequest, CallOptions, PreparedRequest
from ._tokens import TokenSource

Event = TypeVar("Event")
Result = TypeVar("Result")

EventStream: TypeAlias = Generator[Event, None, None]
"""Events of a streamed answer. The request is sent when the first event is asked for; `close()` ends it."""


@dataclass(frozen=True, slots=True)
class Settings:
    limits: Limits
    credential: str | TokenSource | None
    sleep: Callable[[float], None] = time.sleep


class Caller:
    """Sends operations: credentials, retries, time limits and streams."""

    def __init__(self, http: httpx.Client, settings: Settings) -> None:
        self.http = http
        self.settings = settings

    def call(self, request: ApiRequest, options: CallOptions | None = None) -> Any:
        given = options or CallOptions()
        limits = self.settings.limits
        prepared = limits.prepare(request, given, is_stream=False)

        def attempt(token: str | None) -> Any:
            timeout = limits.read_timeout(given)
            body = Body(timeout)
            with self._open(prepared, token, timeout) as response:
                return read_answer(response, _read_body(response, body, timeout))

        return self._repeat(attempt, prepared, given)

    def stream(self, request: ApiRequest, options: CallOptions | None = None) -> EventStream[Any]:
        given = options or CallOptions()
        limits = self.settings.limits
        prepared = limits.prepare(request, given, is_stream=True)

        def attempt(token: str | None) -> tuple[Any, httpx.Response]:
            opened = self._open(prepared, token, limits.read_timeout(given))
            return opened, opened.__enter__()

        opened, response = self._repeat(attempt, prepared, given)
        try:
            reader = EventReader(response.headers)
            for piece in self._read_pieces(response):
                yield from reader.feed(piece)
                if reader.is_done:
                    return
            yield from reader.end()
        finally:
            opened.__exit__(None, None, None)

    def _repeat(
        self, attempt: Callable[[str | None], Result], prepared: PreparedRequest, options: CallOptions
    ) -> Result:
        repeats = 0
        while True:
            try:
                return self._attempt_with_token(attempt)
            except TollgateError as error:
                delay = self.settings.limits.choose_delay(error, prepared, options, repeats)
                if delay is None:
                    raise
            self.settings.sleep(delay)
            repeats += 1

    def _attempt_with_token(self, attempt: Callable[[str | None], Result]) -> Result:
        """A refused token is replaced once. A 401 has no effect, so that any request may be sent again."""
        credential = self.settings.credential
        if credential is None or isinstance(credential, str):
            return attempt(credential)
        token = credential.get_token()
        try:
            return attempt(token)
        except TollgateError as error:
            if error.status != 401:
                raise
            other = credential.get_token(token)
            if other == token:
                raise
        return attempt(other)

    @contextmanager
    def _open(self, prepared: PreparedRequest, token: str | None, timeout: float) -> Iterator[httpx.Response]:
        """Yields the answer before its body is read. Raises TollgateError for a refusal."""
        body = Body(timeout)
        request = self.http.build_request(**to_arguments(prepared, token, timeout))
        try:
            response = self.http.send(request, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            raise no_answer(timeout) from error
        except httpx.HTTPError as error:
            raise connection_error(request.url, error) from error
        try:
            refuse_redirect(response)
            if not response.is_success:
                raise to_error(response, _read_body(response, body, timeout))
            yield response
        finally:
            response.close()

    def _read_pieces(self, response: httpx.Response) -> Iterator[bytes]:
        idle_timeout = self.settings.limits.idle_timeout
        # The transport reads this when it waits for the next piece.
        response.request.extensions["timeout"]["read"] = idle_timeout
        try:
            yield from response.iter_bytes()
        except httpx.TimeoutException as error:
            raise silent_stream(idle_timeout) from error
        except httpx.HTTPError as error:
            raise connection_error(response.request.url, error) from error


def _read_body(response: httpx.Response, body: Body, timeout: float) -> bytes:
    try:
        for piece in response.iter_bytes():
            body.add(piece)
    except httpx.TimeoutException as error:
        raise no_answer(timeout) from error
    except httpx.HTTPError as error:
        raise connection_error(response.request.url, error) from error
    return body.join()
