"""Runs that are followed over broken connections."""

from __future__ import annotations

import asyncio
import json
import unittest
from dataclasses import replace
from typing import Any

from gateway import Answer, Gateway, broken, refuse, stream

from tollgate import AsyncTollgate, Tollgate, TollgateError

KINDS = {1: "run_compiled", 4: "run_completed"}


def events(*seqs: int, breaks: bool = False) -> Answer:
    lines = [json.dumps({"seq": seq, "type": KINDS.get(seq, "node_started")}).encode() + b"\n" for seq in seqs]
    answer = stream(*lines)
    answer.breaks = breaks
    return answer


def follow(url: str, pauses: list[float], **options: Any) -> list[int]:
    with Tollgate(url, "sk-1") as client:
        client._caller.settings = replace(client._caller.settings, sleep=pauses.append)
        return [event["seq"] for event in client.follow_run("r1", **options)]


def follow_async(url: str, pauses: list[float], **options: Any) -> list[int]:
    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def run() -> list[int]:
        async with AsyncTollgate(url, "sk-1") as client:
            client._caller.settings = replace(client._caller.settings, sleep=pause)
            return [event["seq"] async for event in client.follow_run("r1", **options)]

    return asyncio.run(run())


class Following(unittest.TestCase):
    def test_continues_behind_the_last_event_after_a_broken_connection(self) -> None:
        for call in (follow, follow_async):
            pauses: list[float] = []
            answers = [events(1, 2, breaks=True), broken(), events(2, 3), refuse(503), events(4)]
            with self.subTest(call=call), Gateway(*answers) as gateway:
                self.assertEqual(call(gateway.url, pauses), [1, 2, 3, 4])
                queries = [received.path.partition("?")[2] for received in gateway.received]
            seqs = [0, 2, 2, 3, 3]
            self.assertEqual(queries, [f"after_seq={seq}&wait=true" for seq in seqs])
            self.assertEqual(len(pauses), 4)

    def test_starts_behind_an_event_of_a_project(self) -> None:
        for call in (follow, follow_async):
            with self.subTest(call=call), Gateway(events(3, 4)) as gateway:
                self.assertEqual(call(gateway.url, [], after_seq=2, project_id="p1"), [3, 4])
            self.assertEqual(gateway.received[0].path.partition("?")[0], "/api/v1/projects/p1/runs/r1/events")

    def test_raises_what_is_final(self) -> None:
        for call in (follow, follow_async):
            pauses: list[float] = []
            with self.subTest(call=call), Gateway(refuse(404, code="NOT_FOUND", retryable=False)) as gateway:
                with self.assertRaises(TollgateError) as caught:
                    call(gateway.url, pauses)
            self.assertEqual((caught.exception.code, pauses), ("NOT_FOUND", []))

    def test_gives_up_when_connections_bring_nothing(self) -> None:
        for call in (follow, follow_async):
            pauses: list[float] = []
            with self.subTest(call=call), Gateway(events()) as gateway:
                with self.assertRaises(TollgateError) as caught:
                    call(gateway.url, pauses)
            self.assertEqual((caught.exception.code, len(pauses)), ("CONNECTION_ERROR", 8))

    def test_ends_the_request_when_it_is_closed(self) -> None:
        with Gateway(silent(events(1))) as gateway, Tollgate(gateway.url) as client:
            following = client.follow_run("r1")
            next(following)
            following.close()
            self.assertEqual(client._caller.http._transport._pool.connections, [])  # type: ignore[attr-defined]

    def test_ends_the_request_of_the_asynchronous_client_when_it_is_closed(self) -> None:
        async def run(url: str) -> Any:
            async with AsyncTollgate(url) as client:
                following = client.follow_run("r1")
                await anext(following)
                await following.aclose()
                return client._caller.http._transport._pool.connections  # type: ignore[attr-defined]

        with Gateway(silent(events(1))) as gateway:
            self.assertEqual(asyncio.run(run(gateway.url)), [])


def silent(answer: Answer) -> Answer:
    answer.is_silent = True
    return answer


if __name__ == "__main__":
    unittest.main()
