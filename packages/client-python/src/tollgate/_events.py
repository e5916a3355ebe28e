from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ._error import TollgateError
from ._read_error import read_error_event

# An event longer than this is not of the API.
EVENT_LENGTH_MAX = 64 * 1024 * 1024


def read_events(pieces: Iterable[bytes], headers: Mapping[str, str]) -> Iterator[Any]:
    """Yields the events of a stream, NDJSON or SSE by its content type, without keepalives.

    Raises TollgateError for the event that ends a broken stream.
    """
    is_sse = headers.get("content-type", "").startswith("text/event-stream")
    lines = _split_lines(pieces)
    for text, is_whole in _join_data(lines) if is_sse else lines:
        if text.strip() == "":
            continue
        if text == "[DONE]":
            return
        event = _parse_event(text, is_whole=is_whole)
        error = read_error_event(event, headers)
        if error is not None:
            raise error
        if not (isinstance(event, dict) and event.get("type") == "keepalive"):
            yield event


def _split_lines(pieces: Iterable[bytes]) -> Iterator[tuple[str, bool]]:
    """Yields lines, and whether each had an end. `splitlines` would also split at U+2028, which JSON may contain."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest: list[str] = []
    length = 0
    for piece in pieces:
        head, *others = decoder.decode(piece).split("\n")
        rest.append(head)
        length += len(head)
        for line in others:
            yield "".join(rest).removesuffix("\r"), True
            rest, length = [line], len(line)
        if length > EVENT_LENGTH_MAX:
            raise _too_long()
    last = "".join(rest) + decoder.decode(b"", final=True)
    if last != "":
        yield last, False


def _join_data(lines: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Yields the data of events. An event without the empty line behind it is not complete, and is dropped."""
    data: list[str] = []
    length = 0
    for line, _ in lines:
        if line == "":
            if data:
                yield "\n".join(data), True
            data, length = [], 0
        elif line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
            length += len(line)
            if length > EVENT_LENGTH_MAX:
                raise _too_long()


def _parse_event(text: str, *, is_whole: bool) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if is_whole:
            raise TollgateError("INVALID_ANSWER", "an event of the stream is not JSON") from error
        raise TollgateError("CONNECTION_ERROR", "the stream ended inside an event", retryable=True) from error


def _too_long() -> TollgateError:
    return TollgateError("INVALID_ANSWER", f"an event of the stream is longer than {EVENT_LENGTH_MAX} characters")
