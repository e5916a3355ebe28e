from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import httpx

from ._error import TollgateError
from ._events import read_events
from ._read_error import read_error
from ._request import ApiRequest, CallOptions, PreparedRequest, prepare_request
from ._retry import is_repeatable, next_delay

Event = TypeVar("Event")
Result = TypeVar("Result")

EventStream: TypeAlias = Generator[Event, None, None]
"""Events of a streamed answer. The request is sent when the first event is asked for; `close()` ends it."""

CONNECT_SECONDS_MAX = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    base_url: str
    credential: str | None
    timeout: float
    idle_timeout: float
    retries_max: int
    retry_after_max: float
    headers: Mapping[str, str]
    sleep: Callable[[float], None] = time.sleep


class Caller:
    """Sends operations: credentials, retries, time limits and streams."""

    def __init__(self, http: httpx.Client, settings: Settings) -> None:
        self.http = http
        self.settings = settings

    def call(self, request: ApiRequest, options: CallOptions | None = None) -> Any:
        given = options or CallOptions()
        prepared = self._prepare(request, given, is_stream=False)
        timeout = self._read_timeout(given)

        def attempt() -> Any:
            deadline = time.monotonic() + timeout
            with self._open(prepared, timeout) as response:
                return _read_answer(response, self._read_body(response, deadline, timeout))

        return self._repeat(attempt, prepared, given)

    def stream(self, request: ApiRequest, options: CallOptions | None = None) -> EventStream[Any]:
        given = options or CallOptions()
        prepared = self._prepare(request, given, is_stream=True)
        timeout = self._read_timeout(given)

        def attempt() -> tuple[Any, httpx.Response]:
            opened = self._open(prepared, timeout)
            return opened, opened.__enter__()

        opened, response = self._repeat(attempt, prepared, given)
        try:
            yield from read_events(self._read_pieces(response), response.headers)
        finally:
            opened.__exit__(None, None, None)

    def _prepare(self, request: ApiRequest, options: CallOptions, *, is_stream: bool) -> PreparedRequest:
        settings = self.settings
        return prepare_request(
            request, options, base_url=settings.base_url, default_headers=settings.headers, is_stream=is_stream
        )

    def _read_timeout(self, options: CallOptions) -> float:
        return self.settings.timeout if options.timeout is None else options.timeout

    def _repeat(self, attempt: Callable[[], Result], prepared: PreparedRequest, options: CallOptions) -> Result:
        settings = self.settings
        retries_max = settings.retries_max if options.retries_max is None else options.retries_max
        is_safe = is_repeatable(prepared.method, prepared.idempotency_key)
        repeats = 0
        while True:
            try:
                return attempt()
            except TollgateError as error:
                delay = next_delay(
                    error,
                    attempt=repeats,
                    is_safe=is_safe,
                    retry_after_max=settings.retry_after_max,
                    random=random.random(),
                )
                if delay is None or repeats >= retries_max:
                    raise
            settings.sleep(delay)
            repeats += 1

    @contextmanager
    def _open(self, prepared: PreparedRequest, timeout: float) -> Iterator[httpx.Response]:
        """Yields the answer before its body is read. Raises TollgateError for a refusal."""
        headers = dict(prepared.headers)
        if self.settings.credential is not None:
            headers.setdefault("authorization", f"Bearer {self.settings.credential}")
        deadline = time.monotonic() + timeout
        limits = httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS_MAX))
        request = self.http.build_request(
            prepared.method,
            prepared.url,
            headers=headers,
            content=prepared.content,
            files=prepared.files,
            timeout=limits,
        )
        try:
            # Credentials are not sent to another address.
            response = self.http.send(request, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            raise _timeout_error(f"no answer within {timeout:g} s") from error
        except httpx.HTTPError as error:
            raise _connection_error(request.url, error) from error
        try:
            if response.is_redirect or 300 <= response.status_code < 400:
                raise _redirect_error(response)
            if not response.is_success:
                text = self._read_body(response, deadline, timeout).decode("utf-8", "replace")
                raise read_error(response.status_code, response.headers, text, time.time())
            yield response
        finally:
            response.close()

    def _read_body(self, response: httpx.Response, deadline: float, timeout: float) -> bytes:
        """The time limit of the transport restarts with each piece; this one does not."""
        pieces = []
        try:
            for piece in response.iter_bytes():
                if time.monotonic() > deadline:
                    raise _timeout_error(f"no answer within {timeout:g} s")
                pieces.append(piece)
        except httpx.TimeoutException as error:
            raise _timeout_error(f"no answer within {timeout:g} s") from error
        except httpx.HTTPError as error:
            raise _connection_error(response.request.url, error) from error
        return b"".join(pieces)

    def _read_pieces(self, response: httpx.Response) -> Iterator[bytes]:
        # The transport reads this when it waits for the next piece.
        response.request.extensions["timeout"]["read"] = self.settings.idle_timeout
        try:
            yield from response.iter_bytes()
        except httpx.TimeoutException as error:
            raise _timeout_error(f"the stream sent nothing for {self.settings.idle_timeout:g} s") from error
        except httpx.HTTPError as error:
            raise _connection_error(response.request.url, error) from error


def _read_answer(response: httpx.Response, body: bytes) -> Any:
    """Reads an answer by its content type: JSON as a value, text as a string, anything else as bytes."""
    if response.status_code == 204:
        return None
    media = response.headers.get("content-type", "")
    if media.startswith("application/json"):
        try:
            return json.loads(body)
        except ValueError as error:
            raise _unexpected(response, "JSON that cannot be parsed") from error
    if media.startswith("text/html"):
        raise _unexpected(response, "a page instead of JSON; is the address right?")
    return body.decode("utf-8", "replace") if media.startswith("text/") else body


def _unexpected(response: httpx.Response, what: str) -> TollgateError:
    request_id = response.headers.get("x-service-request-id")
    return TollgateError(
        "INVALID_ANSWER", f"the answer is {what}", status=response.status_code, request_id=request_id
    )


def _redirect_error(response: httpx.Response) -> TollgateError:
    location = response.headers.get("location")
    target = "" if location is None else f" to {location}"
    message = f"the gateway redirects{target}; use that address as base_url"
    return TollgateError("INVALID_ANSWER", message, status=response.status_code)


def _timeout_error(message: str) -> TollgateError:
    return TollgateError("TIMEOUT", message, retryable=True)


def _connection_error(url: httpx.URL, error: Exception) -> TollgateError:
    origin = f"{url.scheme}://{url.netloc.decode()}"
    return TollgateError("CONNECTION_ERROR", f"the connection to {origin} failed: {error}", retryable=True)
