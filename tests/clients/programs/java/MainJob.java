// The main job with a client of openapi-generator: a new customer on a new tier asks a model.

import dev.tollgate.ApiClient;
import dev.tollgate.JSON;
import dev.tollgate.api.AuthenticationApi;
import dev.tollgate.api.CustomerSelfServiceApi;
import dev.tollgate.api.CustomersApi;
import dev.tollgate.api.ModelResponsesApi;
import dev.tollgate.api.TiersApi;
import dev.tollgate.auth.HttpBearerAuth;
import dev.tollgate.model.ContentPart;
import dev.tollgate.model.CreateCustomerRequest;
import dev.tollgate.model.CreateResponseRequest;
import dev.tollgate.model.CreateTierRequest;
import dev.tollgate.model.InputMessage;
import dev.tollgate.model.MintCustomerTokenRequest;
import dev.tollgate.model.TextPart;
import dev.tollgate.model.TierModelInput;
import java.util.Map;

public final class MainJob {
  private static final String TIER_CODE = System.getenv("TIER_CODE");

  public static void main(String[] args) throws Exception {
    var backend = withToken(System.getenv("SECRET_KEY"));
    var model = new TierModelInput().modelId("sandbox/echo-1").isDefault(true);
    var newTier = new CreateTierRequest().tierCode(TIER_CODE).displayName("Starter").spendLimitCents(500L).addModelsItem(model);
    var owner = withToken(System.getenv("ACCESS_TOKEN"));
    var tier = new TiersApi(owner).createTier(System.getenv("PROJECT_ID"), newTier, null).getTier();

    var newCustomer = new CreateCustomerRequest().externalId(TIER_CODE).email("ada@example.com");
    var customer = new CustomersApi(backend).createCustomer(newCustomer, null, null).getCustomer();
    var mint = new MintCustomerTokenRequest().customerId(customer.getId()).tierCode(tier.getTierCode());
    var app = withToken(new AuthenticationApi(backend).mintCustomerToken(mint, null).getToken());

    var text = new TextPart().type(TextPart.TypeEnum.TEXT).text("What is a tollgate?");
    var question =
        new InputMessage()
            .type(InputMessage.TypeEnum.MESSAGE)
            .role(InputMessage.RoleEnum.USER)
            .addContentItem(new ContentPart(text));
    var request = new CreateResponseRequest().addInputItem(question);
    var answer = new ModelResponsesApi(app).createResponse(request, null, TIER_CODE, null);
    var usage = new CustomerSelfServiceApi(app).getMyUsage().getUsage();

    var outcome =
        Map.of(
            "text", ((TextPart) answer.getOutput().get(0).getContent().get(0).getActualInstance()).getText(),
            "answered", answer.getUsage().getTotalTokens(),
            "requests", usage.getRequests(),
            "tokens", usage.getTokens());
    System.out.println(JSON.getGson().toJson(outcome));
  }

  private static ApiClient withToken(String token) {
    var client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    // setBearerToken() sets the first of the document's schemes only; operations accept one or another.
    for (var scheme : client.getAuthentications().values()) {
      if (scheme instanceof HttpBearerAuth bearer) bearer.setBearerToken(token);
    }
    return client;
  }
}
