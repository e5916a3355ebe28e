from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from ._error import TollgateError

# Codes for answers that carry none, such as those of a proxy in front of the service.
CODES = {
    400: "INVALID_INPUT",
    401: "UNAUTHORIZED",
    402: "PAYMENT_REQUIRED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "CONFLICT",
    410: "GONE",
    413: "PAYLOAD_TOO_LARGE",
    429: "RATE_LIMIT",
    503: "SERVICE_UNAVAILABLE",
}

# Codes of the image endpoint and of the vendors' error forms, and the code that every other endpoint has for them.
ALIASES = {
    "bad_request": "INVALID_INPUT",
    "invalid_input": "INVALID_INPUT",
    "unauthorized": "UNAUTHORIZED",
    "payment_required": "PAYMENT_REQUIRED",
    "forbidden": "FORBIDDEN",
    "not_found": "NOT_FOUND",
    "internal_error": "INTERNAL_ERROR",
}

MESSAGE_LENGTH_MAX = 500


def read_error(status: int, headers: Mapping[str, str], text: str, now_seconds: float) -> TollgateError:
    """Reads every error form of the API: native, simple, images, OpenAI's, Anthropic's, device sign-in, and plain text."""
    body = _parse_json(text)
    parts = _read_body(body if isinstance(body, dict) else {})
    code = parts["code"] or CODES.get(status) or ("INTERNAL_ERROR" if status >= 500 else "REQUEST_FAILED")
    retryable = parts["retryable"]
    if retryable is None:
        retryable = _read_should_retry(headers)
    if retryable is None:
        retryable = status in (408, 429) or status >= 500
    return TollgateError(
        ALIASES.get(code, code),
        parts["message"] or _to_plain_text(text) or f"HTTP {status}",
        status=status,
        request_id=parts["request_id"] or headers.get("x-service-request-id") or headers.get("request-id"),
        retryable=retryable,
        retry_after_seconds=_read_retry_after(headers, now_seconds),
        fields=parts["fields"],
        body=text if body is None else body,
    )


def read_error_event(event: object, headers: Mapping[str, str]) -> TollgateError | None:
    """Reads the event that ends a broken stream. Returns None for any other event."""
    if not isinstance(event, dict):
        return None
    is_error = event.get("type") == "error" or ("type" not in event and isinstance(event.get("error"), dict))
    if not is_error:
        return None
    parts = _read_body(event)
    code = parts["code"] or "INTERNAL_ERROR"
    status = event.get("status")
    return TollgateError(
        ALIASES.get(code, code),
        parts["message"] or "the stream ended with an error",
        status=status if isinstance(status, int) else 200,
        request_id=parts["request_id"] or headers.get("x-service-request-id"),
        retryable=parts["retryable"] or False,
        body=event,
    )


def _read_body(body: dict[str, Any]) -> dict[str, Any]:
    error = body.get("error")
    inner = error if isinstance(error, dict) else None
    source = body if inner is None else inner
    fields = body.get("fields")
    retryable = source.get("retryable")
    parts: dict[str, Any] = {
        "retryable": retryable if isinstance(retryable, bool) else None,
        "request_id": _to_text(body.get("request_id")),
        "fields": fields if isinstance(fields, list) else [],
    }
    if inner is not None:
        details = inner.get("details")
        detailed = _to_text(details.get("code")) if isinstance(details, dict) else None
        code = detailed or _to_text(inner.get("code")) or _to_text(inner.get("type"))
        return {**parts, "code": code, "message": _to_text(inner.get("message"))}
    # `error` is a sentence in the simple form, a code in that of device sign-in, and a constant in the native form.
    named = _to_text(error)
    description = _to_text(body.get("error_description"))
    if _to_text(body.get("code")) is None and named is not None:
        if description is None:
            return {**parts, "code": None, "message": named}
        return {**parts, "code": named, "message": description}
    return {**parts, "code": _to_text(body.get("code")), "message": _to_text(body.get("message"))}


def _read_retry_after(headers: Mapping[str, str], now_seconds: float) -> float | None:
    """Seconds, or the time of a date."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value, re.ASCII):
        return float(value)
    try:
        at_seconds = parsedate_to_datetime(value).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, at_seconds - now_seconds) if math.isfinite(at_seconds) else None


def _read_should_retry(headers: Mapping[str, str]) -> bool | None:
    value = headers.get("x-should-retry")
    return value == "true" if value in ("true", "false") else None


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _to_plain_text(text: str) -> str:
    """A page of a proxy is no message."""
    return "" if re.match(r"\s*[<{\[]", text) else text.strip()[:MESSAGE_LENGTH_MAX]


def _to_text(value: object) -> str | None:
    return value if isinstance(value, str) and value != "" else None
