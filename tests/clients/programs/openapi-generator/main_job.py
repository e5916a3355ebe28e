"""The main job with a client of openapi-generator: a new customer on a new tier asks a model."""

import json
import os

import tollgate
from tollgate import (
    AuthenticationApi,
    ContentPart,
    CreateCustomerRequest,
    CreateResponseRequest,
    CreateTierRequest,
    CustomerSelfServiceApi,
    CustomersApi,
    InputMessage,
    MintCustomerTokenRequest,
    ModelResponsesApi,
    TextPart,
    TierModelInput,
    TiersApi,
)

TIER_CODE = os.environ["TIER_CODE"]


def with_token(token):
    return tollgate.ApiClient(tollgate.Configuration(host=os.environ["BASE_URL"], access_token=token))


backend = with_token(os.environ["SECRET_KEY"])
owner = with_token(os.environ["ACCESS_TOKEN"])
tier = (
    TiersApi(owner)
    .create_tier(
        os.environ["PROJECT_ID"],
        CreateTierRequest(
            tier_code=TIER_CODE,
            display_name="Starter",
            spend_limit_cents=500,
            models=[TierModelInput(model_id="sandbox/echo-1", is_default=True)],
        ),
    )
    .tier
)
customer = (
    CustomersApi(backend)
    .create_customer(CreateCustomerRequest(external_id=TIER_CODE, email="ada@example.com"))
    .customer
)
minted = AuthenticationApi(backend).mint_customer_token(
    MintCustomerTokenRequest(customer_id=customer.id, tier_code=tier.tier_code)
)
app = with_token(minted.token)
text = TextPart(type="text", text="What is a tollgate?")
question = InputMessage(type="message", role="user", content=[ContentPart(text)])
answer = ModelResponsesApi(app).create_response(CreateResponseRequest(input=[question]), idempotency_key=TIER_CODE)
usage = CustomerSelfServiceApi(app).get_my_usage().usage
print(
    json.dumps(
        {
            "text": answer.output[0].content[0].actual_instance.text,
            "answered": answer.usage.total_tokens,
            "requests": usage.requests,
            "tokens": usage.tokens,
        }
    )
)
