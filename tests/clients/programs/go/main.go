// The main job with a client of oapi-codegen: a new customer on a new tier asks a model.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"tollgate.dev/tests/main-job/tollgate"
)

func main() {
	outcome, err := run(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(outcome); err != nil {
		panic(err)
	}
}

type outcome struct {
	Text     string `json:"text"`
	Answered int64  `json:"answered"`
	Requests int64  `json:"requests"`
	Tokens   int64  `json:"tokens"`
}

func run(ctx context.Context) (*outcome, error) {
	code := os.Getenv("TIER_CODE")
	owner, backend := withToken(os.Getenv("ACCESS_TOKEN")), withToken(os.Getenv("SECRET_KEY"))

	tier, err := owner.CreateTierWithResponse(ctx, os.Getenv("PROJECT_ID"), nil, tollgate.CreateTierRequest{
		TierCode:        code,
		DisplayName:     "Starter",
		SpendLimitCents: new(int64(500)),
		Models:          []tollgate.TierModelInput{{ModelId: "sandbox/echo-1", IsDefault: new(true)}},
	})
	if err != nil || tier.JSON201 == nil {
		return nil, fmt.Errorf("creating a tier: %v %s", err, bodyOf(tier))
	}
	customer, err := backend.CreateCustomerWithResponse(ctx, nil, tollgate.CreateCustomerRequest{
		ExternalId: code,
		Email:      "ada@example.com",
	})
	if err != nil || customer.JSON201 == nil {
		return nil, fmt.Errorf("creating a customer: %v %s", err, bodyOf(customer))
	}
	token, err := backend.MintCustomerTokenWithResponse(ctx, nil, tollgate.MintCustomerTokenRequest{
		CustomerId: &customer.JSON201.Customer.Id,
		TierCode:   &tier.JSON201.Tier.TierCode,
	})
	if err != nil || token.JSON200 == nil {
		return nil, fmt.Errorf("minting a token: %v %s", err, bodyOf(token))
	}

	app := withToken(token.JSON200.Token)
	var part tollgate.ContentPart
	if err := part.FromTextPart(tollgate.TextPart{Type: "text", Text: "What is a tollgate?"}); err != nil {
		return nil, err
	}
	key := tollgate.IdempotencyKey(code)
	question := tollgate.InputMessage{Type: "message", Role: "user", Content: &[]tollgate.ContentPart{part}}
	answer, err := app.CreateResponseWithResponse(ctx, &tollgate.CreateResponseParams{IdempotencyKey: &key},
		tollgate.CreateResponseRequest{Input: []tollgate.InputMessage{question}})
	if err != nil || answer.JSON200 == nil {
		return nil, fmt.Errorf("asking a model: %v %s", err, bodyOf(answer))
	}
	text, err := answer.JSON200.Output[0].Content[0].AsTextPart()
	if err != nil {
		return nil, err
	}
	usage, err := app.GetMyUsageWithResponse(ctx)
	if err != nil || usage.JSON200 == nil {
		return nil, fmt.Errorf("reading the usage: %v %s", err, bodyOf(usage))
	}
	return &outcome{
		Text:     text.Text,
		Answered: answer.JSON200.Usage.TotalTokens,
		Requests: usage.JSON200.Usage.Requests,
		Tokens:   usage.JSON200.Usage.Tokens,
	}, nil
}

func withToken(token string) *tollgate.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	client, err := tollgate.NewClientWithResponses(os.Getenv("BASE_URL"), tollgate.WithRequestEditorFn(authorize))
	if err != nil {
		panic(err)
	}
	return client
}

func bodyOf(response interface{ GetBody() []byte }) string {
	defer func() { _ = recover() }() // there is no response after an error of the connection
	return string(response.GetBody())
}
