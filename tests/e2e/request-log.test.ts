// The log of the whole system: one line per request, run, payment and failed webhook attempt, and no secret in any line.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chatBody,
  type Json,
  responsesBody,
  runBody,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import { must, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const WAIT_MS = 30_000;
/** Part of everything that a client sends; no log may contain it. */
const HUSH = 'hush-5f0c2b';

describe('the log', () => {
  // The most verbose level is the most likely to log secrets.
  const system = useSystem({ mode: 'separate processes', env: { LOG_LEVEL: 'trace', OPENAI_API_KEY: `sk-${HUSH}` } });
  const project = useProject(system);
  let receiver: WebhookReceiver;
  let webhookSecret: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    receiver.answerWith({ status: 400, body: HUSH });
    const webhook = { endpoint_url: `${receiver.url}?key=${HUSH}`, events: ['request.completed'] };
    webhookSecret = must(await project.owner.post(`/projects/${project.id}/webhooks`, webhook), 201).webhook
      .signing_secret;
  }, 120_000);
  afterAll(async () => {
    await receiver?.stop();
  }, 60_000);

  const lines = (message: string): Json[] =>
    system
      .log()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.includes(message) ? [JSON.parse(line)] : []))
      .filter(({ msg }) => msg === message);

  /** Waits for matching lines. */
  async function find(message: string, fits: (line: Json) => boolean): Promise<Json[]> {
    await waitUntil(() => lines(message).some(fits), { what: `a line "${message}"`, timeoutMs: WAIT_MS });
    return lines(message).filter(fits);
  }

  it.each([
    ['plain', 'application/json', false],
    ['streamed', 'application/x-ndjson', true],
  ])('has one line of a %s model request, with what it cost', async (kind, accept, isStream) => {
    const customer = await project.customerOn('free');
    const headers = { 'X-Service-Request-Id': `logged-${kind}`, accept };
    const body = responsesBody(HUSH, { model: UPSTREAM_MODEL });
    expect((await customer.api.post('/responses', body, headers)).status).toBe(200);
    const id = headers['X-Service-Request-Id'];
    expect(await find('request ended', ({ request_id }) => request_id === id)).toEqual([
      expect.objectContaining({
        level: 'info',
        service: 'edge-gateway',
        method: 'POST',
        route: '/api/v1/responses',
        status: 200,
        outcome: 'completed',
        credential: 'customer_token',
        project_id: project.id,
        customer_id: customer.id,
        model: UPSTREAM_MODEL,
        admission: 'admitted',
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        charged_microcents: expect.any(Number),
        is_stream: isStream,
        client_left: false,
        duration_ms: expect.any(Number),
        admission_ms: expect.any(Number),
        provider_ms: expect.any(Number),
        ...(isStream && { first_output_ms: expect.any(Number) }),
      }),
    ]);
  });

  it('names the verdict of a refused admission', async () => {
    const customer = await project.customerOn('free', { spendLimitCents: 0 });
    const headers = { 'X-Service-Request-Id': 'refused' };
    const { status } = await customer.api.post('/responses', responsesBody(HUSH, { model: UPSTREAM_MODEL }), headers);
    expect(status).toBe(402);
    const [line] = await find('request ended', ({ request_id }) => request_id === 'refused');
    expect(line).toMatchObject({ status: 402, outcome: 'failed', error_code: line.admission });
    expect(line).not.toHaveProperty('charged_microcents');
  });

  it('has one line for a run, for a failed webhook attempt and for granted credit', async () => {
    const { run_id } = must(await project.api.post('/runs', runBody(HUSH)), 200);
    const runs = await find('run ended', (line) => line.run_id === run_id);
    expect(runs).toMatchObject([
      { project_id: project.id, status: 'succeeded', nodes: 1, duration_ms: expect.any(Number) },
    ]);
    const [attempt] = await find('webhook attempt failed', ({ project_id }) => project_id === project.id);
    expect(attempt).toMatchObject({ outcome: 'failed', response_status: 400, event_type: 'request.completed' });
    expect((await find('credit granted', ({ service }) => service !== '')).length).toBeGreaterThan(0);
  });

  it('contains nothing that a client sent, and no credential', async () => {
    const { anonymous, baseUrl } = system;
    const at = anonymous.at('/');
    const email = `${HUSH}@example.com`;
    const headers = { 'X-Extra': HUSH, Cookie: `a=${HUSH}`, 'User-Agent': HUSH };
    await anonymous.post('/auth/register', { email, password: `${HUSH}-password` }, headers);
    await anonymous.post('/auth/login', { email, password: `${HUSH}-wrong` }, headers);
    await anonymous.as(`tg_sk_${HUSH}`).post('/responses', responsesBody(HUSH), headers);
    await at.send('GET', `/api/v1/${HUSH}?key=${HUSH}`, undefined, headers);
    await at.send('GET', `/v1/models?key=${HUSH}`, undefined, { ...headers, 'x-api-key': HUSH });
    await project.api.post('/customers', { external_id: 'x', email, metadata: { [HUSH]: HUSH } }, headers);
    await project.api.post(`/customers?token=${HUSH}`, `{"${HUSH}`, headers);
    await project.api.post('/responses', { model: HUSH, input: HUSH, [HUSH]: 1 }, headers);
    await project.api.post('/responses', responsesBody(HUSH, { model: `test/${HUSH}` }), {
      ...headers,
      'Idempotency-Key': HUSH,
    });
    await project.api.at('/v1').post('/chat/completions', chatBody(HUSH, { model: HUSH }), headers);
    await project.api.at('/v1').post('/chat/completions', chatBody(HUSH, { user: HUSH }), headers);
    await fetch(`${baseUrl}/responses`, {
      method: 'POST',
      body: HUSH.repeat(9),
      headers: { Authorization: `Basic ${HUSH}` },
    });
    await project.api.post('/responses', responsesBody(`fail with 500 ${HUSH}`, { model: UPSTREAM_MODEL }), headers);
    await project.api.post('/responses', responsesBody('last', { model: UPSTREAM_MODEL }), {
      'X-Service-Request-Id': 'last',
    });
    await find('request ended', ({ request_id }) => request_id === 'last');
    const log = system.log();
    for (const secret of [HUSH, project.secretKey, project.publishableKey, project.ownerToken, webhookSecret]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(log.split('\n').filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
