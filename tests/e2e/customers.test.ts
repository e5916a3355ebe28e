// Customers over HTTP: SPEC "Customers (secret key)", "Customer self-service", and the owner's twins of DECISIONS 3.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ApiClient, customerBody, type Json, paygoTierBody, responsesBody, tierBody } from '@tollgate/testkit';
import { asCustomer, expectRefused, NOBODY, newCustomer, newTier } from '../system/customers.js';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const system = useSystem();
const project = useProject(system);

describe('customers by secret key', () => {
  it('creates a customer, reads it by both ids, lists it in pages, upserts and deletes it', async () => {
    const mine = await system.project();
    const body = customerBody({ metadata: { plan: { seats: 3 } } });
    const made = must(await mine.api.post('/customers', body), 201);
    expect(made).toEqual({
      customer: expect.objectContaining({ ...body, project_id: mine.id, created_at: expect.any(String) }),
      subscription: null,
    });
    const { id, external_id } = made.customer;
    expect(must(await mine.api.get(`/customers/${id}`), 200)).toEqual(made);
    expect(must(await mine.api.get(`/customers/by-external-id/${external_id}`), 200)).toEqual(made);
    const changed = must(await mine.api.put('/customers', { external_id, email: 'new@example.com' }), 200);
    expect(changed.customer).toMatchObject({ id, email: 'new@example.com', metadata: { plan: { seats: 3 } } });
    must(await mine.api.put('/customers', customerBody()), 201);
    const page = must(await mine.api.get('/customers?limit=1'), 200);
    const listed = page.customers.map(({ customer }: Json) => customer.external_id);
    expect([listed.length, page.next_cursor]).toEqual([1, expect.any(String)]);
    const rest = must(await mine.api.get(`/customers?limit=5&offset=${page.next_cursor}`), 200);
    expect(rest.next_cursor).toBeUndefined();
    must(await mine.api.delete(`/customers/${id}`), 204);
    expectRefused(await mine.api.get(`/customers/${id}`), 404, 'NOT_FOUND');
    expectRefused(await mine.api.delete(`/customers/${id}`), 404, 'NOT_FOUND');
  });

  it('creates a customer once per idempotency key and per external id', async () => {
    const body = customerBody();
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await project.api.post('/customers', body, key),
      await project.api.post('/customers', body, key),
    ];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expectRefused(await project.api.post('/customers', body), 409, 'CONFLICT');
  });

  it('creates one customer from 30 concurrent upserts', async () => {
    const { external_id } = customerBody();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        project.api.put('/customers', { external_id, email: `user${i}@example.com` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(29);
    expect(new Set(answers.map(({ body }) => body.customer.id)).size).toBe(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ['no external id', { external_id: undefined }],
    ['an empty one', { external_id: '' }],
    ['one of 256 characters', { external_id: 'x'.repeat(256) }],
    ['no email', { email: undefined }],
    ['no email address', { email: 'someone' }],
    ['metadata over 10 KB', { metadata: { a: 'x'.repeat(10_240) } }],
    ['a metadata key of 41 characters', { metadata: { ['k'.repeat(41)]: 1 } }],
    ['metadata of 6 levels', { metadata: { a: { a: { a: { a: { a: { a: 1 } } } } } } }],
    ['metadata that is not an object', { metadata: [1] }],
    ['metadata with a NUL', { metadata: { a: '\0' } }],
    ['metadata with half a character', { metadata: { a: '\ud800' } }],
  ])('returns 400 for customers with %s on create and upsert', async (_, overrides) => {
    expectRefused(await project.api.post('/customers', customerBody(overrides)), 400, 'VALIDATION_ERROR');
    expectRefused(await project.api.put('/customers', customerBody(overrides)), 400, 'VALIDATION_ERROR');
  });
});

describe('a claim', () => {
  const claim = (api: ApiClient, email: string, subject: string) =>
    api.post('/customers/claim', { email, provider: 'github', subject });

  it('links by email without regard to case, the oldest first, by both kinds of key', async () => {
    const email = `${randomUUID()}@example.com`;
    const oldest = await newCustomer(project, { email: email.toUpperCase() });
    const younger = await newCustomer(project, { email });
    const subjects = [randomUUID(), randomUUID(), randomUUID()] as const;
    expect(must(await claim(project.publishable, email, subjects[0]), 200).customer.id).toBe(oldest.id);
    expect(must(await claim(project.api, email, subjects[0]), 200).customer.id).toBe(oldest.id);
    expect(must(await claim(project.api, email, subjects[1]), 200).customer.id).toBe(younger.id);
    expectRefused(await claim(project.api, email, subjects[2]), 404, 'NOT_FOUND');
    const other = await newCustomer(project);
    expectRefused(await claim(project.api, other.email, subjects[0]), 409, 'CONFLICT');
  });

  it('rejects a claim by publishable key when the project has switched it off', async () => {
    const mine = await system.project();
    const { email } = await newCustomer(mine);
    must(await mine.owner.put(`/projects/${mine.id}`, { publishable_claims: false }), 200);
    expectRefused(await claim(mine.publishable, email, randomUUID()), 403, 'FORBIDDEN');
    must(await claim(mine.api, email, randomUUID()), 200);
  });

  it.each([
    ['no email', { email: '' }],
    ['no address', { email: 'someone' }],
    ['no provider', { provider: undefined }],
    ['no subject', { subject: undefined }],
  ])('returns 400 for a claim with %s', async (_, overrides) => {
    const body = { email: 'a@example.com', provider: 'github', subject: 'x', ...overrides };
    expectRefused(await project.api.post('/customers/claim', body), 400, 'VALIDATION_ERROR');
  });
});

describe('a subscription', () => {
  it('returns 404 for an unknown customer, to the owner and to the customer', async () => {
    const { id } = await newCustomer(project);
    expectRefused(await project.api.get(`/customers/${id}/subscription`), 404, 'NOT_FOUND');
    expectRefused(await project.api.get(`/customers/${NOBODY}/subscription`), 404, 'NOT_FOUND');
  });

  it('sets a subscription that the owner bills elsewhere, shows it to both and enforces its status', async () => {
    const tier = await newTier(
      project,
      tierBody({ price_amount_cents: 900, price_interval: 'year', billing_provider: 'external' }),
    );
    const { id } = await newCustomer(project);
    const body = { tier_code: tier.tier_code, billing_customer_id: 'c-1', billing_subscription_id: 's-1' };
    const { subscription } = must(await project.api.put(`/customers/${id}/subscription`, body), 200);
    expect(subscription).toMatchObject({
      ...body,
      tier_id: tier.id,
      tier_display_name: tier.display_name,
      price_amount_cents: 900,
      price_currency: 'usd',
      price_interval: 'year',
      billing_provider: 'external',
      subscription_status: 'active',
    });
    expect(must(await project.api.get(`/customers/${id}/subscription`), 200)).toEqual({ subscription });
    const customer = await asCustomer(system, project, id);
    expect(must(await customer.get('/customers/me/subscription'), 200)).toEqual({ subscription });
    expect(must(await customer.get('/customers/me'), 200)).toMatchObject({
      customer: { id },
      subscription: { tier_code: tier.tier_code },
      tier: { id: tier.id, models: [{ model_id: SANDBOX_MODEL, deprecated: false }] },
    });
    must(await customer.post('/responses', responsesBody()), 200);
    const paused = { tier_code: tier.tier_code, subscription_status: 'paused' };
    must(await project.api.put(`/customers/${id}/subscription`, paused), 200);
    expectRefused(await customer.post('/responses', responsesBody()), 402, 'SUBSCRIPTION_INACTIVE');
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['no tier', { tier_code: undefined }, 400],
    ['an unknown status', { subscription_status: 'fine' }, 400],
    ['the card processor', { billing_provider: 'stripe' }, 400],
    ['half a period', { current_period_start: '2026-01-01T00:00:00Z' }, 400],
    [
      'a period before all calendars',
      { current_period_start: '0001-01-01T00:00:00+14:00', current_period_end: '2027-01-01T00:00:00Z' },
      400,
    ],
    [
      'a period behind them',
      { current_period_start: '2026-01-01T00:00:00Z', current_period_end: '9999-12-31T23:59:59-23:59' },
      400,
    ],
    ['an unknown tier', { tier_code: 'nobody' }, 404],
    ['a tier that is bought by card', { tier_code: 'card' }, 409],
  ])('refuses a subscription with %s', async (_, overrides, status) => {
    const mine = await system.project();
    await newTier(mine, tierBody({ tier_code: 'ext', price_amount_cents: 900, billing_provider: 'external' }));
    await newTier(mine, tierBody({ tier_code: 'card', price_amount_cents: 900 }));
    const { id } = await newCustomer(mine);
    const answer = await mine.api.put(`/customers/${id}/subscription`, { tier_code: 'ext', ...overrides });
    expectRefused(answer, status);
  });
});

describe('a token', () => {
  it('limits the lifetime of a token to the maximum of its tier', async () => {
    const tier = await newTier(project, tierBody({ customer_token_max_ttl_seconds: 60 }));
    const { id } = await newCustomer(project);
    const body = { customer_id: id, tier_code: tier.tier_code, ttl_seconds: 86_400 };
    const minted = must(await project.api.post('/auth/customer-token', body), 200);
    expect(minted).toMatchObject({ expires_in: 60, tier_code: tier.tier_code, customer_id: id });
    expectRefused(
      await project.api.post('/auth/customer-token', { ...body, tier_code: (await newTier(project)).tier_code }),
      409,
    );
  });

  it('refuses with 402 to mint a token of a paid tier', async () => {
    const tier = await newTier(project, tierBody({ price_amount_cents: 900 }));
    const { id } = await newCustomer(project);
    const body = { customer_id: id, tier_code: tier.tier_code };
    expectRefused(await project.api.post('/auth/customer-token', body), 402, 'SUBSCRIPTION_INACTIVE');
  });

  it('grants the promo credit only once per external id', async () => {
    const tier = await newTier(project, paygoTierBody({ promo_credits_cents: 200 }));
    const external_id = randomUUID();
    const first = await newCustomer(project, { external_id });
    const balance = async (id: string) =>
      must(await (await asCustomer(system, project, id, tier.tier_code)).get('/customers/me/balance'), 200)
        .balance_microcents;
    expect(await balance(first.id)).toBe(200_000_000);
    expect(await balance(first.id)).toBe(200_000_000);
    must(await project.api.delete(`/customers/${first.id}`), 204);
    expect(await balance((await newCustomer(project, { external_id })).id)).toBe(0);
  });

  it("limits a token to the tier's rate", async () => {
    const tier = await newTier(project, tierBody({ rate_limit_per_minute: 1 }));
    const customer = await asCustomer(system, project, (await newCustomer(project)).id, tier.tier_code);
    must(await customer.get('/customers/me'), 200);
    const refused = await customer.get('/customers/me');
    expect([refused.status, refused.text]).toEqual([429, 'rate limit exceeded']);
  });

  it('limits a token to the rate of the customer’s current tier, whether customer or owner changed it', async () => {
    const [slow, fast, own] = await Promise.all(
      [10, 70, 90].map((rate_limit_per_minute) => newTier(project, tierBody({ rate_limit_per_minute }))),
    );
    const { id } = await newCustomer(project);
    const customer = await asCustomer(system, project, id, slow.tier_code);
    const limit = async () => (await customer.get('/customers/me')).headers['ratelimit-limit'];
    expect(await limit()).toBe('10');
    must(await customer.post('/customers/me/change-tier', { tier_code: fast.tier_code }), 200);
    expect(await limit()).toBe('70');
    must(await project.api.put(`/customers/${id}/subscription`, { tier_code: own.tier_code }), 200);
    must(await customer.post('/responses', responsesBody()), 200);
    expect(await limit()).toBe('90');
  });
});

describe('a project that bills elsewhere', () => {
  it('charges the owner alone', async () => {
    const mine = await system.project();
    const { project: byob } = must(
      await mine.owner.post('/projects', { name: 'Own billing', billing_mode: 'byob' }),
      201,
    );
    const { api_key } = must(await mine.owner.post('/api-keys', { label: 'key', project_id: byob.id }), 201);
    const api = system.anonymous.as(api_key.secret_key);
    const { id } = must(await api.post('/customers', customerBody()), 201).customer;
    const minted = must(await api.post('/auth/customer-token', { customer_id: id }), 200);
    const customer = system.anonymous.as(minted.token);
    const { usage } = must(await customer.post('/responses', responsesBody()), 200);
    const [row] = must(await mine.owner.get('/account/usage?group_by=customer'), 200).usage;
    expect(row).toMatchObject({
      group: id,
      requests: 1,
      customer_microcents: 0,
      provider_microcents: usage.input_tokens * 100 + usage.output_tokens * 300,
    });
  });
});

describe('the dashboard twins', () => {
  it('lets only the owner create, list, read and delete the customers of a project', async () => {
    const mine = await system.project();
    const path = `/projects/${mine.id}/customers`;
    const { customer } = must(await mine.owner.post(path, customerBody()), 201);
    const { customers } = must(await mine.owner.get(path), 200);
    expect(customers).toContainEqual({ customer, subscription: null });
    expect(must(await mine.owner.get(`${path}/${customer.id}`), 200)).toEqual({ customer, subscription: null });
    expect(must(await mine.api.get(`/customers/${customer.id}`), 200).customer).toEqual(customer);
    must(await mine.owner.delete(`${path}/${customer.id}`), 204);
    expectRefused(await mine.owner.get(`${path}/${customer.id}`), 404, 'NOT_FOUND');
    expectRefused(await project.owner.get(path), 404, 'NOT_FOUND');
  });
});
