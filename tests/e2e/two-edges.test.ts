// Two edges in front of one system share revocations, idempotency keys and rate limits.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { configFromEnv, startEdgeGateway } from '@tollgate/edge-gateway';
import { silentLogger } from '@tollgate/runtime';
import { type ApiClient, apiClient, responsesBody, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

let edge: Awaited<ReturnType<typeof startEdgeGateway>>;
/** The API at the second edge. */
let second: ApiClient;
// Before the system stops: hooks run in the order in which they are registered.
afterAll(async () => {
  await second?.close();
  await edge?.stop();
});
const system = useSystem({ mode: 'separate processes' });
const project = useProject(system);

beforeAll(async () => {
  const addresses = Object.entries(system.stack.services).map(([name, { grpc }]) => [
    `${name.replace('-', '_').toUpperCase()}_ADDR`,
    grpc,
  ]);
  const env = {
    ...system.env,
    ...Object.fromEntries(addresses),
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    GRPC_PORT: '0',
  };
  edge = await startEdgeGateway(configFromEnv({ ...env, GRPC_HOST: '127.0.0.1' }), { logger: silentLogger });
  second = apiClient(`http://${edge.httpAddress}/api/v1`);
});

it('refuses at one edge within 5 s the key and the customer’s token revoked at the other', async () => {
  const made = must(await project.owner.post('/api-keys', { label: 'brief', project_id: project.id }), 201).api_key;
  const customer = await project.customerOn('free');
  const key = second.as(made.secret_key);
  const token = second.as(customer.token);
  must(await key.get('/tiers'), 200);
  must(await token.get('/customers/me'), 200);
  expect((await project.owner.delete(`/api-keys/${made.id}`)).status).toBe(204);
  expect((await project.api.delete(`/customers/${customer.id}`)).status).toBe(204);
  const areRefused = async () =>
    (await key.get('/tiers')).status === 401 && (await token.post('/responses', responsesBody())).status === 401;
  await waitUntil(areRefused, { what: 'both to be refused' });
});

it('handles one Idempotency-Key sent to both at once as one request, one answer and one charge', async () => {
  const customer = await project.customerOn('free');
  const headers = { 'idempotency-key': 'once' };
  const asked = [customer.api, second.as(customer.token)].flatMap((api) =>
    Array.from({ length: 3 }, () => api.post('/responses', responsesBody('wait 100 ms'), headers)),
  );
  const answers = (await Promise.all(asked)).map((answer) => must(answer, 200));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(must(await customer.api.get('/customers/me/usage'), 200).usage.requests).toBe(1);
});

describeWith('REDIS_URL', 'with Redis', () => {
  it('shares a rate limit between both edges', async () => {
    const customer = await project.customerOn('free', { tier: { rate_limit_per_minute: 2 } });
    const edges = [customer.api, second.as(customer.token)];
    const asked = edges.flatMap((api) => Array.from({ length: 4 }, () => api.post('/responses', responsesBody())));
    const answers = await Promise.all(asked);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });
});
