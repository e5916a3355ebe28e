// deploy/compose.yaml with real containers: PostgreSQL, Redis, Kafka, the seven services, and the README's main job over
// the published port.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, responsesBody, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../../system/start-system.js';
import { services } from '../chart.js';
import { type ComposeStack, startComposeStack } from './compose-stack.js';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery staple 1' };
const START_MS = 300_000;
const RECOVERY_MS = 60_000;

describeWith('DOCKER_COMPOSE', 'the Compose stack', (compose) => {
  let stack: ComposeStack;
  let owner: ApiClient;
  let customer: ApiClient;
  /** Requests of the customer that were answered with 200. */
  let answered = 0;

  beforeAll(async () => {
    stack = await startComposeStack(compose, { SANDBOX_PROVIDER: '1', LOG_LEVEL: 'warn' });
  }, START_MS);

  afterAll(() => stack?.down(), RECOVERY_MS);

  async function ask(text: string): Promise<number> {
    const { status } = await customer.post('/responses', responsesBody(text));
    if (status === 200) answered += 1;
    return status;
  }

  it(
    "grants an owner credit once per cause with the edge gateway's command",
    async () => {
      const { access_token } = must(await stack.api.post('/auth/register', OWNER), 201);
      owner = stack.api.as(access_token);
      const grant = ['node', 'dist/main.js', 'grant-credit', OWNER.email, '5000', 'first funds'];
      expect(await stack.exec('edge-gateway', ...grant)).toContain('granted 5000 cents to owner@example.com');
      expect(await stack.exec('edge-gateway', ...grant)).toContain(
        'already granted for this cause; balance 5000 cents',
      );
    },
    RECOVERY_MS,
  );

  it(
    "serves the README's main job over the published port",
    async () => {
      const { user } = must(await owner.get('/auth/me'), 200);
      const key = must(
        await owner.post('/api-keys', { label: 'ci', kind: 'secret', project_id: user.project_id }),
        201,
      );
      const tier = {
        tier_code: 'starter',
        display_name: 'Starter',
        spend_limit_cents: 500,
        rate_limit_per_minute: 100_000,
        models: [{ model_id: 'sandbox/echo-1', is_default: true }],
      };
      must(await owner.post(`/projects/${user.project_id}/tiers`, tier), 201);
      const project = stack.api.as(key.api_key.secret_key);
      must(await project.post('/customers', { external_id: 'user-1', email: 'ada@example.com' }), 201);
      const minted = must(
        await project.post('/auth/customer-token', { customer_external_id: 'user-1', tier_code: 'starter' }),
        200,
      );
      customer = stack.api.as(minted.token);
      expect(await ask('Hello')).toBe(200);
      const stream = await customer.ndjson('/responses', responsesBody('Hello'), { accept: 'application/x-ndjson' });
      expect((await stream.all()).at(-1)).toMatchObject({ type: 'completion' });
      answered += 1;
      const { usage } = must(await customer.get('/customers/me/usage'), 200);
      expect(usage).toMatchObject({ requests: answered });
    },
    RECOVERY_MS,
  );

  it(
    'publishes the usage events to Kafka',
    async () => {
      const tool = ['/opt/kafka/bin/kafka-console-consumer.sh', '--bootstrap-server', 'localhost:9092'];
      const read = ['--topic', 'tollgate.usage.v1', '--from-beginning', '--max-messages', String(answered)];
      const printed = await stack.exec(
        'kafka',
        ...tool,
        ...read,
        '--timeout-ms',
        '60000',
        '--property',
        'print.headers=true',
      );
      expect(printed.match(/ce_type:[a-z.]*usage\.recorded/g)).toHaveLength(answered);
    },
    2 * RECOVERY_MS,
  );

  it.each([...services, 'postgres', 'redis', 'kafka'])(
    'serves again after %s was killed',
    async (service) => {
      await stack.killProcess(service);
      await waitUntil(async () => (await ask(`after the death of ${service}`)) === 200, {
        what: `an answer after ${service} was killed`,
        timeoutMs: RECOVERY_MS,
      });
    },
    2 * RECOVERY_MS,
  );

  it(
    'has charged every answered request once and keeps balanced books',
    async () => {
      const books = await waitUntil(
        async () => {
          const report = must(await owner.get('/account/ledger/verify'), 200);
          return report.open_holds === 0 && report;
        },
        { what: 'the end of all holds', timeoutMs: 2 * RECOVERY_MS },
      );
      expect(books.differences).toEqual([]);
      const { usage } = must(await customer.get('/customers/me/usage'), 200);
      expect(usage.requests).toBeGreaterThanOrEqual(answered);
    },
    3 * RECOVERY_MS,
  );

  it.each(services)(
    'migrates the database of %s with tracing enabled',
    async (service) => {
      const migrate = 'OTEL_ENABLED=1 node dist/main.js migrate';
      expect(await stack.exec(service, 'sh', '-c', migrate)).toContain('the database is up to date');
    },
    RECOVERY_MS,
  );

  it(
    'drains every service on SIGTERM and exits with 0',
    async () => {
      const exits = await stack.stop(services);
      expect(exits).toEqual(Object.fromEntries(services.map((service) => [service, 0])));
    },
    2 * RECOVERY_MS,
  );
});
