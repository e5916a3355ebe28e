"""The main job with our Python client: a new customer on a new tier asks a model, and the owner sees the usage."""

from __future__ import annotations

import json
import os

from tollgate import Tollgate, TollgateError, types

BASE_URL = os.environ["BASE_URL"]
TIER_CODE = os.environ["TIER_CODE"]
QUESTION: list[types.InputMessage] = [
    {"type": "message", "role": "user", "content": [{"type": "text", "text": "What is a tollgate?"}]}
]


def main() -> dict[str, object]:
    with Tollgate(BASE_URL, os.environ["SECRET_KEY"]) as backend:
        owner = backend.with_credential(os.environ["ACCESS_TOKEN"])
        tier = owner.create_tier(
            os.environ["PROJECT_ID"],
            {
                "tier_code": TIER_CODE,
                "display_name": "Starter",
                "spend_limit_cents": 500,
                "models": [{"model_id": "sandbox/echo-1", "is_default": True}],
            },
        )["tier"]
        customer = backend.create_customer({"external_id": TIER_CODE, "email": "ada@example.com"})["customer"]
        minted = backend.mint_customer_token({"customer_id": customer["id"], "tier_code": tier["tier_code"]})
        app = backend.with_credential(minted["token"])
        answer = app.create_response({"input": QUESTION})
        usage = app.get_my_usage()["usage"]
        return {
            "text": read_text(answer),
            "answered": answer["usage"]["total_tokens"],
            "requests": usage["requests"],
            "tokens": usage["tokens"],
            "streamed": read_stream(app),
            "emails": read_pages(backend),
            "refusal": read_refusal(app),
        }


def read_text(answer: types.ModelResponse) -> str:
    item = answer["output"][0]
    part = item["content"][0]
    return part["text"] if part["type"] == "text" else ""


def read_stream(app: Tollgate) -> str:
    events = app.create_response_stream({"input": QUESTION})
    return "".join(str(event.get("delta", "")) for event in events if event["type"] == "update")


def read_pages(backend: Tollgate) -> list[str]:
    backend.create_customer({"external_id": f"{TIER_CODE}-2", "email": "grace@example.com"})
    return sorted(each["customer"]["email"] for each in backend.list_customers(limit=1, q=TIER_CODE))


def read_refusal(app: Tollgate) -> dict[str, object]:
    try:
        app.list_runs(limit=-1).first()
    except TollgateError as error:
        has_request_id = error.request_id is not None
        return {"status": error.status, "retryable": error.retryable, "has_request_id": has_request_id}
    return {}


if __name__ == "__main__":
    print(json.dumps(main()))
