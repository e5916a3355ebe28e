"""The main job with a client of openapi-python-client: a new customer on a new tier asks a model."""

import json
import os
from uuid import UUID

from tollgate import AuthenticatedClient
from tollgate.api.authentication import mint_customer_token
from tollgate.api.customer_self_service import get_my_usage
from tollgate.api.customers import create_customer
from tollgate.api.model_responses import create_response
from tollgate.api.tiers import create_tier
from tollgate.models import (
    CreateCustomerRequest,
    CreateResponseRequest,
    CreateTierRequest,
    InputMessage,
    InputMessageRole,
    MintCustomerTokenRequest,
    TextPart,
    TierModelInput,
)

TIER_CODE = os.environ["TIER_CODE"]


def with_token(token):
    # `raise_on_unexpected_status`: statuses that the document does not list are errors here.
    return AuthenticatedClient(os.environ["BASE_URL"], token, raise_on_unexpected_status=True)


def must(response):
    if response.status_code >= 300:
        raise RuntimeError(f"{response.status_code}: {response.content!r}")
    return response.parsed


backend = with_token(os.environ["SECRET_KEY"])
tier = must(
    create_tier.sync_detailed(
        os.environ["PROJECT_ID"],
        client=with_token(os.environ["ACCESS_TOKEN"]),
        body=CreateTierRequest(
            tier_code=TIER_CODE,
            display_name="Starter",
            spend_limit_cents=500,
            models=[TierModelInput(model_id="sandbox/echo-1", is_default=True)],
        ),
    )
).tier
customer = must(
    create_customer.sync_detailed(
        client=backend, body=CreateCustomerRequest(external_id=TIER_CODE, email="ada@example.com")
    )
).customer
assert isinstance(customer.id, UUID)
token = must(
    mint_customer_token.sync_detailed(
        client=backend, body=MintCustomerTokenRequest(customer_id=customer.id, tier_code=tier.tier_code)
    )
).token
app = with_token(token)
question = InputMessage(
    type_="message",
    role=InputMessageRole.USER,
    content=[TextPart(type_="text", text="What is a tollgate?")],
)
answer = must(
    create_response.sync_detailed(
        client=app, body=CreateResponseRequest(input_=[question]), idempotency_key=TIER_CODE
    )
)
usage = must(get_my_usage.sync_detailed(client=app)).usage
print(
    json.dumps(
        {
            "text": answer.output[0].content[0].text,
            "answered": answer.usage.total_tokens,
            "requests": usage.requests,
            "tokens": usage.tokens,
        }
    )
)
