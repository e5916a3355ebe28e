"""What the client and the asynchronous client have in common: everything but sending and waiting."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from ._error import TollgateError
from ._read_error import read_error
from ._request import ApiRequest, CallOptions, PreparedRequest, prepare_request
from ._retry import is_repeatable, next_delay

CONNECT_SECONDS_MAX = 30.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Options of all calls of a client. Times are in seconds."""

    base_url: str
    timeout: float
    idle_timeout: float
    retries_max: int
    retry_after_max: float
    headers: Mapping[str, str]

    def prepare(self, request: ApiRequest, options: CallOptions, *, is_stream: bool) -> PreparedRequest:
        return prepare_request(
            request, options, base_url=self.base_url, default_headers=self.headers, is_stream=is_stream
        )

    def read_timeout(self, options: CallOptions) -> float:
        return self.timeout if options.timeout is None else options.timeout

    def choose_delay(
        self, error: TollgateError, prepared: PreparedRequest, options: CallOptions, repeats: int
    ) -> float | None:
        """Returns the seconds before the next attempt, or None when there is none."""
        if repeats >= (self.retries_max if options.retries_max is None else options.retries_max):
            return None
        return next_delay(
            error,
            attempt=repeats,
            is_safe=is_repeatable(prepared.method, prepared.idempotency_key),
            retry_after_max=self.retry_after_max,
            random=random.random(),
        )


def read_base_url(base_url: str) -> str:
    if not re.match(r"https?://[^/]", base_url):
        raise ValueError(f"base_url must be an http or https address, not {base_url}")
    return base_url.rstrip("/").removesuffix("/api/v1")


def to_arguments(prepared: PreparedRequest, token: str | None, timeout: float) -> dict[str, Any]:
    """Arguments of httpx's `build_request`."""
    headers = dict(prepared.headers)
    if token is not None:
        headers.setdefault("authorization", f"Bearer {token}")
    return {
        "method": prepared.method,
        "url": prepared.url,
        "headers": headers,
        "content": prepared.content,
        "files": prepared.files,
        "timeout": httpx.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS_MAX)),
    }


class Body:
    """Collects the pieces of an answer. The time limit of the transport restarts with each piece; this one does not."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        if time.monotonic() > self._deadline:
            raise no_answer(self._timeout)
        self._pieces.append(piece)

    def join(self) -> bytes:
        return b"".join(self._pieces)


def refuse_redirect(response: httpx.Response) -> None:
    """Credentials are not sent to another address."""
    if not 300 <= response.status_code < 400:
        return
    location = response.headers.get("location")
    target = "" if location is None else f" to {location}"
    message = f"the gateway redirects{target}; use that address as base_url"
    raise TollgateError("INVALID_ANSWER", message, status=response.status_code)


def to_error(response: httpx.Response, body: bytes) -> TollgateError:
    return read_error(response.status_code, response.headers, body.decode("utf-8", "replace"), time.time())


def read_answer(response: httpx.Response, body: bytes) -> Any:
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


def no_answer(timeout: float) -> TollgateError:
    return TollgateError("TIMEOUT", f"no answer within {timeout:g} s", retryable=True)


def silent_stream(idle_timeout: float) -> TollgateError:
    return TollgateError("TIMEOUT", f"the stream sent nothing for {idle_timeout:g} s", retryable=True)


def connection_error(url: httpx.URL, error: Exception) -> TollgateError:
    origin = f"{url.scheme}://{url.netloc.decode()}"
    return TollgateError("CONNECTION_ERROR", f"the connection to {origin} failed: {error}", retryable=True)


def _unexpected(response: httpx.Response, what: str) -> TollgateError:
    request_id = response.headers.get("x-service-request-id")
    return TollgateError(
        "INVALID_ANSWER", f"the answer is {what}", status=response.status_code, request_id=request_id
    )
