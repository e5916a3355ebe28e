from __future__ import annotations

from ._error import TollgateError

FIRST_DELAY_SECONDS = 0.5
DELAY_SECONDS_MAX = 8.0


def is_repeatable(method: str, idempotency_key: str | None) -> bool:
    """Returns whether a request may be sent twice without a second effect."""
    return idempotency_key is not None or method in ("GET", "PUT", "DELETE")


def next_delay(
    error: TollgateError, *, attempt: int, is_safe: bool, retry_after_max: float, random: float
) -> float | None:
    """Returns the seconds before the next attempt, or None when there is none.

    There is none if the error is final, the request must not be sent twice, or the server asks for a longer pause than
    the client accepts. A 429 is always safe: it is refused before it has an effect.
    """
    if not error.retryable or not (is_safe or error.status == 429):
        return None
    if error.retry_after_seconds is not None:
        return error.retry_after_seconds if error.retry_after_seconds <= retry_after_max else None
    return back_off(attempt, random)


def back_off(attempt: int, random: float) -> float:
    """Doubles with each attempt, less up to a half, so that clients do not return together."""
    return min(DELAY_SECONDS_MAX, FIRST_DELAY_SECONDS * 2.0**attempt) * (1 - random / 2)
