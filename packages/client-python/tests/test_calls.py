"""Calls: requests, errors, retries, time limits and pages."""

from __future__ import annotations

import json
import unittest
from dataclasses import replace

from gateway import Answer, Gateway, broken, refuse

from tollgate import CallOptions, Tollgate, TollgateError
from tollgate._read_error import read_error

BODY: dict[str, str] = {"external_id": "user-17", "email": "ada@example.com"}


def connect(gateway: Gateway, **options: object) -> tuple[Tollgate, list[float]]:
    """A client that notes its pauses instead of making them."""
    client = Tollgate(gateway.url, "sk-1", **options)  # type: ignore[arg-type]
    pauses: list[float] = []
    client._caller.settings = replace(client._caller.settings, sleep=pauses.append)
    return client, pauses


class Requests(unittest.TestCase):
    def test_sends_the_body_the_credential_and_the_options(self) -> None:
        with Gateway(Answer(201, {"customer": {"id": "c1"}})) as gateway:
            client, _ = connect(gateway, headers={"x-app": "1"})
            options = CallOptions(customer_id="c1", cache=False, headers={"x-call": "2"})
            answer = client.create_customer({"external_id": "Grüße", "email": "a@example.com"}, options=options)
        self.assertEqual(answer["customer"]["id"], "c1")
        [(method, path, headers, body)] = gateway.received
        self.assertEqual((method, path), ("POST", "/api/v1/customers"))
        self.assertEqual(json.loads(body)["external_id"], "Grüße")
        expected = {
            "authorization": "Bearer sk-1",
            "content-type": "application/json",
            "x-service-customer-id": "c1",
            "x-service-cache": "0",
            "x-app": "1",
            "x-call": "2",
        }
        self.assertEqual({name: headers.get(name) for name in expected}, expected)

    def test_encodes_the_path_and_the_query(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            client, _ = connect(gateway)
            client.get_customer("a b/c")
            client.list_customers(limit=1, q="x&y").first()
            with self.assertRaises(ValueError):
                client.get_customer("..")
        paths = [received.path for received in gateway.received]
        self.assertEqual(paths, ["/api/v1/customers/a%20b%2Fc", "/api/v1/customers?limit=1&q=x%26y"])

    def test_sends_forms_with_files(self) -> None:
        with Gateway(Answer(200, {"text": "hi"})) as gateway:
            client, _ = connect(gateway)
            client.create_transcription({"model": "m", "file": ("a.wav", b"RIFF")})
        body = gateway.received[0].body
        self.assertIn(b'name="model"\r\n\r\nm', body)
        self.assertIn(b'name="file"; filename="a.wav"', body)

    def test_returns_none_text_and_bytes(self) -> None:
        plain, audio = {"content-type": "text/plain"}, {"content-type": "audio/mpeg"}
        with Gateway(Answer(204), Answer(200, b"hi", plain), Answer(200, b"\xff", audio)) as gateway:
            client, _ = connect(gateway)
            answer: object = client.delete_customer("c1")  # type: ignore[func-returns-value]
            self.assertIsNone(answer)
            self.assertEqual(client.create_transcription({"model": "m"}), "hi")
            self.assertEqual(client.create_speech({"model": "m", "input": "x", "voice": "alloy"}), b"\xff")

    def test_rejects_an_address_that_is_none(self) -> None:
        with self.assertRaises(ValueError):
            Tollgate("gateway.example.com")

    def test_shares_connections_between_credentials(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            client, _ = connect(gateway)
            with client, client.with_credential("token-2") as app:
                app.get_my_usage()
                app.close()
                client.get_my_usage()
        sent = [received.headers["authorization"] for received in gateway.received]
        self.assertEqual(sent, ["Bearer token-2", "Bearer sk-1"])


class Errors(unittest.TestCase):
    def test_reads_the_native_form(self) -> None:
        fields = [{"field": "a", "message": "b"}]
        refusal = refuse(402, code="WALLET_EMPTY", retryable=False, request_id="r-1", fields=fields)
        with Gateway(refusal) as gateway, self.assertRaises(TollgateError) as caught:
            connect(gateway)[0].get_my_usage()
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("WALLET_EMPTY", 402, "r-1"))
        self.assertEqual((error.retryable, error.fields, str(error)), (False, tuple(fields), "WALLET_EMPTY: no"))

    def test_reads_every_other_form(self) -> None:
        openai = {"error": {"message": "m", "type": "t", "code": "WALLET_EMPTY", "param": None}}
        anthropic = {"type": "error", "error": {"type": "x", "message": "m", "details": {"code": "WALLET_EMPTY"}}}
        device = {"error": "slow_down", "error_description": "too often"}
        images = {"error": {"code": "invalid_input", "message": "no prompt"}}
        cases: list[tuple[int, object, str, str]] = [
            (404, {"error": "webhook not found"}, "NOT_FOUND", "webhook not found"),
            (400, images, "INVALID_INPUT", "no prompt"),
            (402, openai, "WALLET_EMPTY", "m"),
            (402, anthropic, "WALLET_EMPTY", "m"),
            (400, device, "slow_down", "too often"),
            (429, "rate limit exceeded", "RATE_LIMIT", "rate limit exceeded"),
            (502, "<html>Bad Gateway</html>", "INTERNAL_ERROR", "HTTP 502"),
            (503, "", "SERVICE_UNAVAILABLE", "HTTP 503"),
        ]
        for status, body, code, message in cases:
            with self.subTest(code=code, message=message):
                error = read_error(status, {}, body if isinstance(body, str) else json.dumps(body), 0)
                self.assertEqual((error.code, error.message), (code, message))

    def test_decides_whether_an_error_is_retryable(self) -> None:
        cases: list[tuple[int, object, dict[str, str], bool]] = [
            (429, {}, {}, True),
            (500, {}, {}, True),
            (400, {}, {}, False),
            (409, {"retryable": True}, {}, True),
            (503, {"retryable": False}, {}, False),
            (500, {}, {"x-should-retry": "false"}, False),
            (409, {}, {"x-should-retry": "true"}, True),
        ]
        for status, body, headers, expected in cases:
            with self.subTest(status=status, body=body, headers=headers):
                self.assertEqual(read_error(status, headers, json.dumps(body), 0).retryable, expected)

    def test_reads_retry_after(self) -> None:
        cases = [("7", 7.0), ("Thu, 01 Jan 1970 00:01:00 GMT", 60.0), ("soon", None)]
        for value, seconds in cases:
            with self.subTest(value=value):
                self.assertEqual(read_error(429, {"retry-after": value}, "", 0).retry_after_seconds, seconds)

    def test_refuses_redirects_and_pages(self) -> None:
        for answer in [Answer(302, {}, {"location": "https://other"}), Answer(200, b"<p>", {"content-type": "text/html"})]:
            with Gateway(answer) as gateway, self.assertRaises(TollgateError) as caught:
                connect(gateway)[0].get_my_usage()
            self.assertEqual(caught.exception.code, "INVALID_ANSWER")
            self.assertEqual(len(gateway.received), 1)


class Retries(unittest.TestCase):
    def test_repeats_with_the_same_idempotency_key(self) -> None:
        with Gateway(broken(), refuse(503), Answer(201, {"customer": {"id": "c1"}})) as gateway:
            client, pauses = connect(gateway)
            client.create_tier("p1", {"tier_code": "a", "display_name": "A", "models": []})
        keys = {received.headers.get("idempotency-key") for received in gateway.received}
        self.assertEqual((len(gateway.received), len(keys)), (3, 1))
        self.assertRegex(str(keys.pop()), r"^[0-9a-f-]{36}$")
        self.assertTrue(0.25 <= pauses[0] <= 0.5 and 0.5 <= pauses[1] <= 1.0)

    def test_uses_a_new_key_for_each_call_and_the_given_one(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            client, _ = connect(gateway)
            for options in [None, None, CallOptions(idempotency_key="mine")]:
                client.create_response({"input": []}, options=options)
        keys = [received.headers["idempotency-key"] for received in gateway.received]
        self.assertEqual((len(set(keys)), keys[2]), (3, "mine"))

    def test_puts_the_key_of_a_run_into_its_options(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            client, _ = connect(gateway)
            spec = {"kind": "workflow.v0", "name": "w", "nodes": [], "outputs": []}
            client.create_run({"spec": spec, "options": {"idempotency_key": "mine"}})  # type: ignore[typeddict-item]
            client.create_run({"spec": spec})  # type: ignore[typeddict-item]
        keys = [json.loads(received.body)["options"]["idempotency_key"] for received in gateway.received]
        self.assertEqual(keys[0], "mine")
        self.assertRegex(keys[1], r"^[0-9a-f-]{36}$")

    def test_does_not_repeat_a_request_without_a_key_that_may_have_had_an_effect(self) -> None:
        for answer, count in [(broken(), 1), (refuse(503), 1), (refuse(429, headers={"retry-after": "3"}), 3)]:
            with Gateway(answer) as gateway:
                client, pauses = connect(gateway)
                with self.assertRaises(TollgateError):
                    client.block_customer("c1")
            self.assertEqual(len(gateway.received), count)
            self.assertEqual(pauses, [3.0] * (count - 1))

    def test_does_not_wait_longer_than_it_may(self) -> None:
        with Gateway(refuse(429, headers={"retry-after": "61"})) as gateway:
            client, pauses = connect(gateway)
            with self.assertRaises(TollgateError) as caught:
                client.get_my_usage()
        self.assertEqual((pauses, caught.exception.retry_after_seconds), ([], 61.0))

    def test_does_not_repeat_final_errors(self) -> None:
        with Gateway(refuse(402, code="WALLET_EMPTY", retryable=False)) as gateway:
            client, _ = connect(gateway)
            with self.assertRaises(TollgateError):
                client.get_my_usage()
        self.assertEqual(len(gateway.received), 1)


class TimeLimits(unittest.TestCase):
    def test_ends_an_answer_that_does_not_end(self) -> None:
        answer = Answer(200, b"{")
        answer.is_silent = True
        with Gateway(answer) as gateway:
            client, _ = connect(gateway, timeout=0.2, retries_max=0)
            with self.assertRaises(TollgateError) as caught:
                client.get_my_usage()
        self.assertEqual((caught.exception.code, caught.exception.retryable), ("TIMEOUT", True))

    def test_reports_a_gateway_that_is_not_there(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            pass
        client, _ = connect(gateway, retries_max=0)
        with self.assertRaises(TollgateError) as caught:
            client.get_my_usage()
        self.assertEqual((caught.exception.code, caught.exception.status), ("CONNECTION_ERROR", 0))


class Lists(unittest.TestCase):
    def test_yields_the_items_of_all_pages_and_loads_them_when_needed(self) -> None:
        first = Answer(200, {"customers": [1, 2], "next_cursor": "2"})
        second = Answer(200, {"customers": [3], "next_cursor": "abc"})
        with Gateway(first, second, Answer(200, {"customers": [4]})) as gateway:
            client, _ = connect(gateway)
            items = iter(client.list_customers(limit=2))
            self.assertEqual([next(items), next(items), len(gateway.received)], [1, 2, 1])
            self.assertEqual(list(items), [3, 4])
        queries = [received.path.partition("?")[2] for received in gateway.received]
        self.assertEqual(queries, ["limit=2", "limit=2&offset=2", "limit=2&cursor=abc"])

    def test_stops_at_the_bound_and_at_a_page_that_names_itself(self) -> None:
        with Gateway(Answer(200, {"customers": [1], "next_cursor": "x"})) as gateway:
            client, _ = connect(gateway)
            self.assertEqual(client.list_customers().to_list(), [1, 1])
            self.assertEqual(client.list_customers().to_list(1), [1])
        self.assertEqual(len(gateway.received), 3)


if __name__ == "__main__":
    unittest.main()
