from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Any

from ._error import TollgateError
from ._retry import back_off
from ._request import CallOptions

LAST_EVENTS = ("run_completed", "run_failed", "run_canceled")

# A connection that lasted this long did its work, although it brought nothing.
LASTED_SECONDS = 30.0

# Connections in a row that end early and bring nothing new.
FRUITLESS_MAX = 8


class Following:
    """The events of a run over several connections, each opened behind the last event."""

    def __init__(self, after_seq: int) -> None:
        self.last_seq = after_seq
        self.is_ended = False
        self._fruitless = 0
        self._opened_at = 0.0

    def open(self) -> dict[str, Any]:
        """Returns the query of the next connection."""
        self._opened_at = time.monotonic()
        return {"after_seq": self.last_seq, "wait": "true"}

    def accept(self, event: Mapping[str, Any]) -> bool:
        """Returns False for an event that was there before."""
        if event["seq"] <= self.last_seq:
            return False
        self.last_seq = event["seq"]
        self._fruitless = 0
        self.is_ended = event["type"] in LAST_EVENTS
        return True

    def choose_delay(self, failure: TollgateError | None) -> float:
        """Returns the seconds before the next connection. Raises when the service stays unavailable."""
        if time.monotonic() - self._opened_at >= LASTED_SECONDS:
            self._fruitless = 0
        if self._fruitless >= FRUITLESS_MAX:
            raise failure or TollgateError("CONNECTION_ERROR", "the stream ends at once")
        asked = min(60.0, (failure and failure.retry_after_seconds) or 0.0)
        delay = max(back_off(self._fruitless, random.random()), asked)
        self._fruitless += 1
        return delay


def follow_options(options: CallOptions | None) -> CallOptions:
    """A connection that fails is opened by the one who follows."""
    given = options or CallOptions()
    return CallOptions(timeout=given.timeout, retries_max=0, headers=given.headers, customer_id=given.customer_id)
