"""Signatures of deliveries. A test of the whole system verifies real ones."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from typing import Any

from tollgate import TollgateError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_b3RoZXI="
PAYLOAD = '{"event_type":"request.completed","data":{"text":"Grüße 🎫"}}'
NOW = 1_700_000_000


def sign(form: str, secret: str = SECRET, at: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_")) if form == "standard" else secret.encode()
    prefix = {"body": "", "timestamped": f"{at}.", "standard": f"e1.{at}."}[form]
    digest = hmac.new(key, (prefix + PAYLOAD).encode(), hashlib.sha256)
    if form == "standard":
        signature = f"v1,{base64.b64encode(digest.digest()).decode()}"
        return {"Webhook-Id": "e1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1a,x {signature}"}
    hexadecimal = digest.hexdigest()
    return {"X-Service-Signature": f"sha256={hexadecimal}" if form == "body" else f"t={at},v1={hexadecimal}"}


def verify(headers: dict[str, str], **change: Any) -> Any:
    return verify_webhook(change.pop("payload", PAYLOAD), headers, change.pop("secret", SECRET), now_seconds=NOW, **change)


class Webhooks(unittest.TestCase):
    def expect_refusal(self, headers: dict[str, str], **change: Any) -> None:
        with self.assertRaises(TollgateError) as caught:
            verify(headers, **change)
        self.assertEqual(caught.exception.code, "INVALID_SIGNATURE")

    def test_returns_the_event(self) -> None:
        for form in ("body", "timestamped", "standard"):
            with self.subTest(form=form):
                self.assertEqual(verify(sign(form)), json.loads(PAYLOAD))
                self.assertEqual(verify(sign(form), payload=PAYLOAD.encode(), form=form), json.loads(PAYLOAD))
                self.assertEqual(verify(sign(form, OTHER), secret=[SECRET, OTHER]), json.loads(PAYLOAD))

    def test_rejects_another_body_secret_form_and_time(self) -> None:
        for form in ("body", "timestamped", "standard"):
            with self.subTest(form=form):
                self.expect_refusal(sign(form), payload=PAYLOAD + " ")
                self.expect_refusal(sign(form, OTHER))
                self.expect_refusal(sign(form), form="body" if form != "body" else "standard")
                if form != "body":
                    self.expect_refusal(sign(form, at=NOW - 301))
                    self.expect_refusal(sign(form, at=NOW + 301))
                    self.assertEqual(verify(sign(form, at=NOW - 299)), json.loads(PAYLOAD))

    def test_rejects_headers_that_are_missing_or_malformed(self) -> None:
        signed = sign("standard")
        for headers in [
            {},
            {"x-service-signature": "sha256=zz"},
            {"x-service-signature": f"t=soon,v1={'0' * 64}"},
            {"webhook-signature": signed["Webhook-Signature"]},
            {**signed, "Webhook-Timestamp": "soon"},
            {**signed, "Webhook-Signature": "v1,%%%"},
            {**signed, "Webhook-Signature": ("v1,AAAA " * 10) + signed["Webhook-Signature"]},
        ]:
            with self.subTest(headers=headers):
                self.expect_refusal(headers)


if __name__ == "__main__":
    unittest.main()
