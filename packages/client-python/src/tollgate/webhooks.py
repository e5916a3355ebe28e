"""Verification of signed deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from ._error import TollgateError
from .types import WebhookEvent

SignatureForm: TypeAlias = Literal["body", "timestamped", "standard"]
"""The three ways in which an endpoint may have its deliveries signed; a setting of the endpoint."""

# Each delivery has one signature, or several of the form `standard`; more than this would be an attack.
SIGNATURES_MAX = 10


def verify_webhook(
    payload: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    form: SignatureForm | None = None,
    tolerance_seconds: float = 300,
    now_seconds: float | None = None,
) -> WebhookEvent:
    """Verifies a delivery and returns its event. A delivery may arrive twice: keep `event_id` to recognize it.

    payload: the received bytes, before anything has parsed them.
    secret: the endpoint's secret, `whsec_…`; while a secret is replaced, both.
    form: accepts only this form. Default: the form that the headers show.
    tolerance_seconds: how far the time of a delivery may be from the present. The form `body` has no time.

    Raises TollgateError with the code INVALID_SIGNATURE; answer 400 then.
    """
    signed = _read_signature({name.lower(): value for name, value in headers.items()})
    if form is not None and form != signed.form:
        raise _invalid(f"the delivery is signed in the form {signed.form}, and {form} is required")
    now = time.time() if now_seconds is None else now_seconds
    if signed.at_seconds is not None and abs(now - signed.at_seconds) > tolerance_seconds:
        raise _invalid(f"the delivery is more than {tolerance_seconds:g} s old or early; is this clock right?")
    body = payload.encode() if isinstance(payload, str) else payload
    content = signed.prefix.encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [hmac.new(_to_key(each, signed.form), content, hashlib.sha256).digest() for each in secrets]
    if not any(hmac.compare_digest(mine, theirs) for mine in expected for theirs in signed.signatures):
        raise _invalid("no signature of the delivery matches; is it the secret of this endpoint?")
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError as error:
        raise TollgateError("INVALID_ANSWER", "the payload of the delivery is not JSON") from error


@dataclass(frozen=True, slots=True)
class _Signed:
    form: SignatureForm
    prefix: str
    """Signed before the payload."""
    signatures: Sequence[bytes]
    at_seconds: int | None = None


def _read_signature(headers: Mapping[str, str]) -> _Signed:
    if "webhook-signature" in headers:
        return _read_standard(headers)
    header = headers.get("x-service-signature")
    if header is None:
        raise _invalid("the delivery has no signature header")
    body = re.fullmatch(r"sha256=([0-9a-f]{64})", header)
    if body:
        return _Signed("body", "", [bytes.fromhex(body[1])])
    timed = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if timed is None:
        raise _invalid("the signature header is malformed")
    return _Signed("timestamped", f"{timed[1]}.", [bytes.fromhex(timed[2])], int(timed[1]))


def _read_standard(headers: Mapping[str, str]) -> _Signed:
    id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp", "")
    if id is None or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _invalid("the delivery has no webhook-id or timestamp")
    texts = headers["webhook-signature"].split(" ")[:SIGNATURES_MAX]
    decoded = [_from_base64(text.removeprefix("v1,")) for text in texts if text.startswith("v1,")]
    return _Signed("standard", f"{id}.{timestamp}.", [each for each in decoded if each is not None], int(timestamp))


def _to_key(secret: str, form: SignatureForm) -> bytes:
    """The specification of Standard Webhooks signs with the decoded secret, the other forms with its text."""
    if form != "standard":
        return secret.encode()
    key = _from_base64(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("the secret of this endpoint is not base64")
    return key


def _from_base64(text: str) -> bytes | None:
    """Accepts both alphabets, with and without padding: older secrets are base64url. Returns None for other text."""
    plain = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _invalid(message: str) -> TollgateError:
    return TollgateError("INVALID_SIGNATURE", message)
