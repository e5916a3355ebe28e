from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import quote, urlencode

Form: TypeAlias = Mapping[str, "str | tuple[str, bytes]"]
"""Fields of a form: a text, or the name and the bytes of a file."""


@dataclass(frozen=True, slots=True)
class CallOptions:
    """Options of one call."""

    timeout: float | None = None
    """Seconds of one attempt until its whole answer has arrived, or until a stream starts."""
    retries_max: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    customer_id: str | None = None
    """With a secret key: acts for this customer, who is charged."""
    idempotency_key: str | None = None
    """Default: a new key per call, which all its attempts share. Streams have none unless it is set here."""
    cache: bool | None = None
    """Whether an exact repeat may be answered from the response cache. Default: as the project says."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One call of an operation, before options."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: Any = None
    key_in: Literal["header", "options"] | None = None
    """Where the operation takes its idempotency key: in the header, or in the options of a run."""
    accept: str = "application/json"
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request that every attempt sends alike."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    files: list[tuple[str, tuple[str | None, bytes]]] | None
    idempotency_key: str | None


def fill_path(template: str, *values: str) -> str:
    """Builds a path: `/runs/{id}` and `a b` become `/runs/a%20b`."""
    remaining = iter(values)

    def fill(match: re.Match[str]) -> str:
        value = next(remaining)
        # An empty segment, `.` and `..` would name another endpoint.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{match[1]} must not be {value or 'empty'}")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, template)


def prepare_request(
    request: ApiRequest,
    options: CallOptions,
    *,
    base_url: str,
    default_headers: Mapping[str, str],
    is_stream: bool = False,
) -> PreparedRequest:
    key = _choose_key(request, options, is_stream=is_stream)
    headers = {"accept": request.accept, **default_headers}
    if options.customer_id is not None:
        headers["x-service-customer-id"] = options.customer_id
    if options.cache is not None:
        headers["x-service-cache"] = "1" if options.cache else "0"
    if key is not None and request.key_in == "header":
        headers["idempotency-key"] = key
    content = None
    if request.body is not None:
        headers["content-type"] = "application/json"
        content = _to_json(request, key)
    return PreparedRequest(
        method=request.method,
        url=f"{base_url}{request.path}{_to_query(request.query)}",
        headers={**headers, **options.headers},
        content=content,
        files=None if request.form is None else _to_files(request.form),
        idempotency_key=key,
    )


def _choose_key(request: ApiRequest, options: CallOptions, *, is_stream: bool) -> str | None:
    """A stream with a key continues and is charged when its client leaves; only a caller who wants that sets a key."""
    if request.key_in is None:
        return None
    in_body = None
    if request.key_in == "options" and isinstance(request.body, Mapping):
        in_body = (request.body.get("options") or {}).get("idempotency_key")
    if options.idempotency_key is not None or in_body is not None:
        return options.idempotency_key or in_body
    return None if is_stream else str(uuid.uuid4())


def _to_json(request: ApiRequest, key: str | None) -> bytes:
    body = request.body
    if request.key_in == "options" and key is not None:
        body = {**body, "options": {**(body.get("options") or {}), "idempotency_key": key}}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _to_files(form: Form) -> list[tuple[str, tuple[str | None, bytes]]]:
    return [(name, (None, value.encode()) if isinstance(value, str) else value) for name, value in form.items()]


def _to_query(query: Mapping[str, object]) -> str:
    given = {name: _to_parameter(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _to_parameter(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
