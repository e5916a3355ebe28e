// Sells the plan `pro` to a new customer: sign-up on the free plan, checkout, first request on the new plan.
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, backend, local } from '../local.js';

const PLAN = 'pro';
const PAYMENT_MS_MAX = 600_000;

// 1. Your back end knows the user by your own id, and gives the app a token.
const { customer } = await backend.upsertCustomer({
  external_id: `user-${crypto.randomUUID()}`,
  email: 'ada@example.com',
});
const { token } = await backend.mintCustomerToken({ customer_id: customer.id, tier_code: 'free' });
const app = backend.with({ credential: token });

// 2. The app asks for a checkout page and sends the user there.
const success_url = `${local.base_url}/billing/checkout-return?outcome=success`;
const cancel_url = `${local.base_url}/billing/checkout-return`;
const { url } = await app.createMyCheckout({ tier_code: PLAN, success_url, cancel_url });
console.log(`Pay here, in a browser: ${url}`);

// 3. The processor's webhook moves the customer to the plan. An app would read this when the user comes back.
await waitForPlan();

// 4. Requests are now admitted against the limit of the plan.
const answer = await app.createResponse({ input: ask('What is a tollgate?') });
const { usage } = await app.getMyUsage();
console.log(`Answer: ${JSON.stringify(answer.output[0]?.content)}`);
console.log(`Usage on ${PLAN}: ${usage.requests} request, ${usage.tokens} tokens`);

async function waitForPlan(): Promise<void> {
  const endsAt = performance.now() + PAYMENT_MS_MAX;
  while (performance.now() < endsAt) {
    const { subscription } = await backend.getCustomer(customer.id);
    if (subscription?.tier_code === PLAN) return;
    await sleep(500);
  }
  throw new Error('the plan was not paid in time');
}
