from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ._error import TollgateError
from ._read_error import read_error_event

# An event longer than this is not of the API.
EVENT_LENGTH_MAX = 64 * 1024 * 1024


class EventReader:
    """Reads the events of a stream, NDJSON or SSE by its content type, without keepalives.

    Raises TollgateError for the event that ends a broken stream.
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._headers = headers
        self._is_sse = headers.get("content-type", "").startswith("text/event-stream")
        self._lines = _LineSplitter()
        self._data: list[str] = []
        self._data_length = 0
        self.is_done = False
        """Whether the stream has said that it ends."""

    def feed(self, piece: bytes) -> Iterator[Any]:
        for line in self._lines.feed(piece):
            yield from self._read_line(line, is_whole=True)
            if self.is_done:
                return

    def end(self) -> Iterator[Any]:
        last = self._lines.end()
        if last != "" and not self.is_done:
            yield from self._read_line(last, is_whole=False)

    def _read_line(self, line: str, *, is_whole: bool) -> Iterator[Any]:
        text = self._join_data(line) if self._is_sse else line
        if text is None or text.strip() == "":
            return
        if text == "[DONE]":
            self.is_done = True
            return
        event = _parse_event(text, is_whole=is_whole)
        error = read_error_event(event, self._headers)
        if error is not None:
            raise error
        if not (isinstance(event, dict) and event.get("type") == "keepalive"):
            yield event

    def _join_data(self, line: str) -> str | None:
        """Returns the data of an event at its end. An event without the empty line behind it is not complete."""
        if line == "":
            text = "\n".join(self._data) if self._data else None
            self._data, self._data_length = [], 0
            return text
        if line.startswith("data:"):
            self._data.append(line.removeprefix("data:").removeprefix(" "))
            self._data_length += len(line)
            if self._data_length > EVENT_LENGTH_MAX:
                raise _too_long()
        return None


class _LineSplitter:
    """`splitlines` would also split at U+2028, which JSON may contain."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest: list[str] = []
        self._length = 0

    def feed(self, piece: bytes) -> Iterator[str]:
        head, *others = self._decoder.decode(piece).split("\n")
        self._rest.append(head)
        self._length += len(head)
        for line in others:
            whole = "".join(self._rest).removesuffix("\r")
            self._rest, self._length = [line], len(line)
            yield whole
        if self._length > EVENT_LENGTH_MAX:
            raise _too_long()

    def end(self) -> str:
        return "".join(self._rest) + self._decoder.decode(b"", final=True)


def _parse_event(text: str, *, is_whole: bool) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if is_whole:
            raise TollgateError("INVALID_ANSWER", "an event of the stream is not JSON") from error
        raise TollgateError("CONNECTION_ERROR", "the stream ended inside an event", retryable=True) from error


def _too_long() -> TollgateError:
    return TollgateError("INVALID_ANSWER", f"an event of the stream is longer than {EVENT_LENGTH_MAX} characters")
