"""An app with our asynchronous Python client: its token is refused once, and renewed; it streams, lists and follows a run."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping

from tollgate import AsyncRefreshingToken, AsyncTollgate, TollgateError, types

BASE_URL = os.environ["BASE_URL"]
TIER_CODE = os.environ["TIER_CODE"]
QUESTION: list[types.InputMessage] = [
    {"type": "message", "role": "user", "content": [{"type": "text", "text": "What is a tollgate?"}]}
]


async def main() -> dict[str, object]:
    async with AsyncTollgate(BASE_URL, os.environ["SECRET_KEY"]) as backend:
        customer = (await backend.create_customer({"external_id": TIER_CODE, "email": "ada@example.com"}))["customer"]
        minted = 0

        async def mint() -> Mapping[str, object]:
            nonlocal minted
            minted += 1
            return await backend.mint_customer_token({"customer_id": customer["id"], "tier_code": TIER_CODE})

        app = backend.with_credential(AsyncRefreshingToken(mint, first={"token": "refused"}))
        answer = await app.create_response({"input": QUESTION})
        usage = (await app.get_my_usage())["usage"]
        run = await app.create_run(
            {
                "spec": {
                    "kind": "workflow.v0",
                    "name": "python",
                    "nodes": [{"id": "step", "type": "llm.responses", "input": {"input": QUESTION}}],
                    "outputs": [{"name": "answer", "from": "step"}],
                }
            }
        )
        events = [event async for event in app.follow_run(run["run_id"])]
        return {
            "answered": answer["usage"]["total_tokens"],
            "tokens": usage["tokens"],
            "minted": minted,
            "streamed": await read_stream(app),
            "seqs": [event["seq"] for event in events],
            "last": events[-1]["type"],
            "runs": [each["run_id"] async for each in app.list_runs(limit=1)] == [run["run_id"]],
            "refusal": await read_refusal(app),
        }


async def read_stream(app: AsyncTollgate) -> str:
    text = ""
    async for event in app.create_response_stream({"input": QUESTION}):
        if event["type"] == "update":
            text += str(event.get("delta", ""))
    return text


async def read_refusal(app: AsyncTollgate) -> int:
    try:
        await app.list_runs(limit=-1).first()
    except TollgateError as error:
        return error.status
    return 0


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main())))
