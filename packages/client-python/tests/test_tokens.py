"""Tokens that are renewed."""

from __future__ import annotations

import asyncio
import threading
import time
import unittest
from collections.abc import Callable
from datetime import datetime, timezone

from gateway import Answer, Gateway, refuse

from tollgate import AsyncRefreshingToken, AsyncTollgate, RefreshingToken, Tollgate, TollgateError


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def make_mint(clock: Clock, seconds: float | None = 600) -> tuple[Callable[[], dict[str, object]], list[str]]:
    """Mints t1, t2 and so on; each is valid for these seconds."""
    minted: list[str] = []

    def mint() -> dict[str, object]:
        minted.append(f"t{len(minted) + 1}")
        if seconds is None:
            return {"token": minted[-1]}
        end = datetime.fromtimestamp(clock.now + seconds, timezone.utc)
        return {"token": minted[-1], "expires_at": end.isoformat().replace("+00:00", "Z")}

    return mint, minted


class Refreshing(unittest.TestCase):
    def test_replaces_a_token_shortly_before_its_end(self) -> None:
        clock = Clock()
        mint, minted = make_mint(clock)
        source = RefreshingToken(mint, now=clock)
        self.assertEqual([source.get_token(), source.get_token()], ["t1", "t1"])
        clock.now += 569
        self.assertEqual(source.get_token(), "t1")
        clock.now += 2
        self.assertEqual((source.get_token(), minted), ("t2", ["t1", "t2"]))

    def test_uses_half_of_the_time_of_a_short_token(self) -> None:
        clock = Clock()
        mint, _ = make_mint(clock, 20)
        source = RefreshingToken(mint, now=clock)
        source.get_token()
        clock.now += 9
        self.assertEqual(source.get_token(), "t1")
        clock.now += 2
        self.assertEqual(source.get_token(), "t2")

    def test_replaces_a_rejected_token_once_and_starts_with_the_first(self) -> None:
        mint, minted = make_mint(Clock(), None)
        source = RefreshingToken(mint, first={"token": "t0"})
        self.assertEqual((source.get_token(), minted), ("t0", []))
        self.assertEqual([source.get_token("t0"), source.get_token("t0"), source.get_token()], ["t1", "t1", "t1"])

    def test_refuses_an_answer_without_a_token(self) -> None:
        with self.assertRaises(TypeError):
            RefreshingToken(lambda: {"error": "no"}).get_token()

    def test_mints_once_for_threads_at_the_same_time(self) -> None:
        mint, minted = make_mint(Clock(), None)

        def mint_slowly() -> dict[str, object]:
            time.sleep(0.05)
            return mint()

        source = RefreshingToken(mint_slowly)
        threads = [threading.Thread(target=source.get_token) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(minted, ["t1"])

    def test_mints_once_for_tasks_at_the_same_time(self) -> None:
        mint, minted = make_mint(Clock(), None)

        async def mint_slowly() -> dict[str, object]:
            await asyncio.sleep(0.01)
            return mint()

        async def ask() -> list[str]:
            source = AsyncRefreshingToken(mint_slowly)
            return await asyncio.gather(*(source.get_token() for _ in range(8)))

        self.assertEqual((set(asyncio.run(ask())), minted), ({"t1"}, ["t1"]))


class Requests(unittest.TestCase):
    def test_sends_a_refused_request_again_with_a_new_token(self) -> None:
        mint, _ = make_mint(Clock(), None)
        with Gateway(refuse(401, code="UNAUTHORIZED"), Answer(200, {})) as gateway:
            with Tollgate(gateway.url, RefreshingToken(mint)) as client:
                client.create_customer({"external_id": "a", "email": "a@example.com"})
        self.assertEqual(read_tokens(gateway), ["Bearer t1", "Bearer t2"])

    def test_gives_up_after_the_second_refusal(self) -> None:
        mint, _ = make_mint(Clock(), None)
        with Gateway(refuse(401, code="UNAUTHORIZED")) as gateway:
            with Tollgate(gateway.url, RefreshingToken(mint)) as client, self.assertRaises(TollgateError) as caught:
                client.get_my_usage()
        self.assertEqual((caught.exception.code, len(gateway.received)), ("UNAUTHORIZED", 2))

    def test_sends_a_refused_request_of_the_asynchronous_client_again(self) -> None:
        mint, _ = make_mint(Clock(), None)

        async def mint_later() -> dict[str, object]:
            return mint()

        async def ask(url: str) -> None:
            async with AsyncTollgate(url, AsyncRefreshingToken(mint_later)) as client:
                await client.get_my_usage()

        with Gateway(refuse(401, code="UNAUTHORIZED"), Answer(200, {})) as gateway:
            asyncio.run(ask(gateway.url))
        self.assertEqual(read_tokens(gateway), ["Bearer t1", "Bearer t2"])


def read_tokens(gateway: Gateway) -> list[str | None]:
    return [received.headers.get("authorization") for received in gateway.received]


if __name__ == "__main__":
    unittest.main()
