"""Streamed answers."""

from __future__ import annotations

import unittest
from dataclasses import replace

from gateway import Answer, Gateway, broken, refuse, stream

from tollgate import CallOptions, Tollgate, TollgateError

SSE = "text/event-stream"


def read(answer: Answer, **options: object) -> list[object]:
    with Gateway(answer) as gateway, Tollgate(gateway.url, "sk-1", **options) as client:  # type: ignore[arg-type]
        return list(client.create_response_stream({"input": []}))


class Streams(unittest.TestCase):
    def test_reads_lines_that_arrive_in_pieces(self) -> None:
        text = '{"type":"a","text":"Grüße \u2028 🎫"}\n{"type":"keepalive"}\n\n{"type":"b"}'.encode()
        pieces = [text[i : i + 3] for i in range(0, len(text), 3)]
        self.assertEqual(read(stream(*pieces)), [{"type": "a", "text": "Grüße \u2028 🎫"}, {"type": "b"}])

    def test_reads_server_sent_events_to_done(self) -> None:
        text = ': hi\r\nevent: x\r\ndata: {"type":\r\ndata: "a"}\r\n\r\ndata:{"n":1}\n\ndata: [DONE]\n\ndata: {"n":2}\n\n'
        for size in (1, 7, 1000):
            pieces = [text.encode()[i : i + size] for i in range(0, len(text), size)]
            self.assertEqual(read(stream(*pieces, media=SSE)), [{"type": "a"}, {"n": 1}])

    def test_raises_the_error_that_ends_a_stream(self) -> None:
        event = b'{"type":"a"}\n{"type":"error","code":"HOOK_FAILED","message":"m","status":502,"retryable":false}\n'
        with Gateway(stream(event)) as gateway, Tollgate(gateway.url) as client:
            events = client.create_response_stream({"input": []})
            self.assertEqual(next(events), {"type": "a"})
            with self.assertRaises(TollgateError) as caught:
                next(events)
        self.assertEqual((caught.exception.code, caught.exception.status), ("HOOK_FAILED", 502))

    def test_raises_when_a_stream_breaks_or_falls_silent(self) -> None:
        cut = stream(b'{"type":"a"}\n{"ty')
        gone = stream(b'{"type":"a"}\n')
        gone.breaks = True
        silent = stream(b'{"type":"a"}\n')
        silent.is_silent = True
        for answer, code in [(cut, "CONNECTION_ERROR"), (gone, "CONNECTION_ERROR"), (silent, "TIMEOUT")]:
            with self.subTest(code=code), self.assertRaises(TollgateError) as caught:
                read(answer, idle_timeout=0.2)
            self.assertEqual(caught.exception.code, code)

    def test_repeats_a_request_before_its_first_event_only_if_that_is_safe(self) -> None:
        done = stream(b'{"type":"a"}\n')
        for answers, options, count in [
            ((refuse(429), done), CallOptions(), 2),
            ((broken(), done), CallOptions(), 1),
            ((broken(), done), CallOptions(idempotency_key="k"), 2),
        ]:
            with Gateway(*answers) as gateway, Tollgate(gateway.url) as client:
                client._caller.settings = replace(client._caller.settings, sleep=lambda _: None)
                try:
                    list(client.create_response_stream({"input": []}, options=options))
                except TollgateError:
                    self.assertEqual(count, 1)
            self.assertEqual(len(gateway.received), count)
            keys = {received.headers.get("idempotency-key") for received in gateway.received}
            self.assertEqual(keys, {options.idempotency_key})

    def test_asks_for_a_stream_in_the_body_where_the_operation_wants_that(self) -> None:
        with Gateway(stream(b"data: [DONE]\n\n", media=SSE)) as gateway, Tollgate(gateway.url) as client:
            list(client.create_chat_completion_stream({"model": "m", "messages": []}))
        self.assertIn(b'"stream":true', gateway.received[0].body)
        self.assertEqual(gateway.received[0].headers["accept"], SSE)

    def test_ends_the_request_when_it_is_closed(self) -> None:
        answer = stream(b'{"type":"a"}\n')
        answer.is_silent = True
        with Gateway(answer) as gateway, Tollgate(gateway.url) as client:
            events = client.create_response_stream({"input": []})
            next(events)
            events.close()
            self.assertEqual(client._caller.http._transport._pool.connections, [])  # type: ignore[attr-defined]


if __name__ == "__main__":
    unittest.main()
