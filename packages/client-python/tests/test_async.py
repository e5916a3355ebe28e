"""The asynchronous client sends and reads the same as the other."""

from __future__ import annotations

import asyncio
import json
import unittest
from dataclasses import replace
from typing import Any

from gateway import Answer, Gateway, broken, refuse, stream

from tollgate import AsyncTollgate, CallOptions, TollgateError

QUESTION: Any = {"input": []}


class AsyncClient(unittest.IsolatedAsyncioTestCase):
    pauses: list[float]

    async def connect(self, gateway: Gateway, **options: Any) -> AsyncTollgate:
        """A client that notes its pauses instead of making them."""
        self.pauses = []

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        client = AsyncTollgate(gateway.url, "sk-1", **options)
        client._caller.settings = replace(client._caller.settings, sleep=pause)
        self.addAsyncCleanup(client.aclose)
        return client

    async def test_sends_the_body_the_credential_and_the_options(self) -> None:
        with Gateway(Answer(201, {"customer": {"id": "c1"}})) as gateway:
            client = await self.connect(gateway, headers={"x-app": "1"})
            options = CallOptions(customer_id="c1", cache=True)
            answer = await client.create_customer({"external_id": "a", "email": "a@example.com"}, options=options)
        self.assertEqual(answer["customer"]["id"], "c1")
        [(method, path, headers, body)] = gateway.received
        self.assertEqual((method, path, json.loads(body)["external_id"]), ("POST", "/api/v1/customers", "a"))
        expected = {"authorization": "Bearer sk-1", "x-service-customer-id": "c1", "x-service-cache": "1", "x-app": "1"}
        self.assertEqual({name: headers.get(name) for name in expected}, expected)

    async def test_repeats_under_one_idempotency_key(self) -> None:
        with Gateway(refuse(503), broken(), Answer(200, {}), Answer(200, {})) as gateway:
            client = await self.connect(gateway)
            await client.create_response(QUESTION)
            await client.create_response(QUESTION)
        keys = [received.headers.get("idempotency-key") for received in gateway.received]
        self.assertEqual((keys[0], len(self.pauses)), (keys[2], 2))
        self.assertEqual(len(set(keys)), 2)

    async def test_waits_as_long_as_it_is_asked_to(self) -> None:
        with Gateway(refuse(429, headers={"retry-after": "7"}), Answer(200, {})) as gateway:
            await (await self.connect(gateway)).get_my_usage()
        self.assertEqual(self.pauses, [7.0])

    async def test_does_not_repeat_final_errors(self) -> None:
        with Gateway(refuse(402, code="WALLET_EMPTY", retryable=False)) as gateway:
            client = await self.connect(gateway)
            with self.assertRaises(TollgateError) as caught:
                await client.get_my_usage()
        self.assertEqual((caught.exception.code, len(gateway.received)), ("WALLET_EMPTY", 1))

    async def test_refuses_redirects(self) -> None:
        with Gateway(Answer(302, {}, {"location": "https://other"})) as gateway:
            client = await self.connect(gateway)
            with self.assertRaises(TollgateError) as caught:
                await client.get_my_usage()
        self.assertEqual((caught.exception.code, len(gateway.received)), ("INVALID_ANSWER", 1))

    async def test_ends_an_answer_that_does_not_end(self) -> None:
        answer = Answer(200, b"{")
        answer.is_silent = True
        with Gateway(answer) as gateway:
            client = await self.connect(gateway, timeout=0.2, retries_max=0)
            with self.assertRaises(TollgateError) as caught:
                await client.get_my_usage()
        self.assertEqual(caught.exception.code, "TIMEOUT")

    async def test_yields_the_items_of_all_pages_and_loads_them_when_needed(self) -> None:
        first = Answer(200, {"customers": [1, 2], "next_cursor": "2"})
        second = Answer(200, {"customers": [3], "next_cursor": "abc"})
        with Gateway(first, second, Answer(200, {"customers": [4]})) as gateway:
            client = await self.connect(gateway)
            items = aiter(client.list_customers(limit=2))
            self.assertEqual([await anext(items), await anext(items), len(gateway.received)], [1, 2, 1])
            self.assertEqual([item async for item in items], [3, 4])
        queries = [received.path.partition("?")[2] for received in gateway.received]
        self.assertEqual(queries, ["limit=2", "limit=2&offset=2", "limit=2&cursor=abc"])

    async def test_stops_at_the_bound_and_at_a_page_that_names_itself(self) -> None:
        with Gateway(Answer(200, {"customers": [1], "next_cursor": "x"})) as gateway:
            client = await self.connect(gateway)
            self.assertEqual(await client.list_customers().to_list(), [1, 1])
            self.assertEqual(await client.list_customers().to_list(1), [1])
            self.assertEqual(await client.list_customers().to_list(0), [])
            self.assertEqual((await client.list_customers().first())["customers"], [1])
        self.assertEqual(len(gateway.received), 4)

    async def test_reads_streams_to_their_end_or_their_error(self) -> None:
        end = b'{"type":"error","code":"HOOK_FAILED","message":"m","status":502}\n'
        cut = stream(b'{"type":"a"}\n{"ty')
        with Gateway(stream(b'{"type":', b'"a"}\n{"type":"keepalive"}\n'), stream(b'{"type":"a"}\n', end), cut) as gateway:
            client = await self.connect(gateway)
            self.assertEqual([event async for event in client.create_response_stream(QUESTION)], [{"type": "a"}])
            for code in ("HOOK_FAILED", "CONNECTION_ERROR"):
                seen = []
                with self.assertRaises(TollgateError) as caught:
                    async for event in client.create_response_stream(QUESTION):
                        seen.append(event)
                self.assertEqual((seen, caught.exception.code), ([{"type": "a"}], code))

    async def test_reports_a_stream_that_falls_silent(self) -> None:
        answer = stream(b'{"type":"a"}\n')
        answer.is_silent = True
        with Gateway(answer) as gateway:
            client = await self.connect(gateway, idle_timeout=0.2)
            events = client.create_response_stream(QUESTION)
            await anext(events)
            with self.assertRaises(TollgateError) as caught:
                await anext(events)
        self.assertEqual(caught.exception.code, "TIMEOUT")

    async def test_ends_the_request_when_its_task_is_canceled(self) -> None:
        answer = stream(b'{"type":"a"}\n')
        answer.is_silent = True
        with Gateway(answer) as gateway:
            client = await self.connect(gateway)
            reading = asyncio.create_task(read_all(client))
            while not gateway.received:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            reading.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await reading
            self.assertEqual(client._caller.http._transport._pool.connections, [])  # type: ignore[attr-defined]

    async def test_shares_connections_between_credentials(self) -> None:
        with Gateway(Answer(200, {})) as gateway:
            client = await self.connect(gateway)
            async with client.with_credential("token-2") as app:
                await app.get_my_usage()
            await client.get_my_usage()
        sent = [received.headers["authorization"] for received in gateway.received]
        self.assertEqual(sent, ["Bearer token-2", "Bearer sk-1"])


async def read_all(client: AsyncTollgate) -> list[Any]:
    return [event async for event in client.create_response_stream(QUESTION)]


if __name__ == "__main__":
    unittest.main()
