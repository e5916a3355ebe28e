import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { UsageRecordedSchema } from '@tollgate/contracts/events/v1/usage_pb.js';
import { type CreateWebhookRequestSchema, HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import {
  createEmbeddedTransport,
  deadLetterTopic,
  type EventTransport,
  eventTypes,
  newEvent,
  type ReceivedEvent,
} from '@tollgate/events';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Client, GrpcNetwork, LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import {
  collectRejections,
  parseDelivery,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import type { Config } from './config.js';
import { resealSecret } from './operations/signing-secrets.js';
import { startHooks } from './server.js';
import { testConfig } from './testing/harness.js';

let database: TestDatabase;
let transport: EventTransport;
let hooks: RunningService;
let network: GrpcNetwork;
let client: Client<typeof HookService>;
let receiver: WebhookReceiver;
let config: Config;
const projectId = randomUUID();

const as = (kind: PrincipalKind, project = projectId) =>
  startCall({ principal: create(PrincipalSchema, { kind, projectId: project }) });
const owner = (project = projectId) => as(PrincipalKind.OWNER, project);

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  transport = createEmbeddedTransport({ url: database.url, logger: silentLogger, schema: `${database.schema}_events` });
  await transport.start();
  config = testConfig(database);
  hooks = await startHooks(config, { logger: silentLogger, transport });
  network = new GrpcNetwork({ addresses: { [HookService.typeName]: hooks.address! } });
  client = network.client(HookService);
  receiver = await startWebhookReceiver();
});

afterAll(async () => {
  await network.close();
  await hooks.stop();
  await transport.stop();
  await receiver.stop();
  await database.pool.query(`DROP SCHEMA IF EXISTS ${database.schema}_events CASCADE`);
  await database.drop();
});

async function createWebhook(given: MessageInitShape<typeof CreateWebhookRequestSchema> = {}) {
  const settings = { endpointUrl: `${receiver.url}${randomUUID()}`, events: ['request.completed'], ...given };
  return (await client.createWebhook(settings, owner())).webhook!;
}

const arrivalsAt = (url: string) => receiver.deliveries.filter((delivery) => url.endsWith(delivery.path));

describe('webhooks', () => {
  it('creates a webhook with defaults and a secret that later reads omit', async () => {
    const webhook = await createWebhook();
    // Base64, because the libraries of Standard Webhooks do not read base64url.
    expect(webhook.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ enabled: true, signatureForm: 'body', retrySchedule: 'standard', projectId });
    const read = (await client.getWebhook({ webhookId: webhook.id }, owner())).webhook!;
    expect(read).toMatchObject({ id: webhook.id, events: ['request.completed'], signingSecret: '' });
    const listed = await client.listWebhooks({ limit: 200 }, owner());
    expect(listed.webhooks.map((one) => one.signingSecret).join('')).toBe('');
    const { rows } = await database.pool.query('SELECT secret_sealed, secret_key_id FROM webhooks WHERE id = $1', [
      webhook.id,
    ]);
    expect(rows[0].secret_sealed.includes(webhook.signingSecret)).toBe(false);
    expect(rows[0].secret_key_id).toMatch(/^[0-9a-f]{12}$/);
  });

  it.each([
    [{ endpointUrl: '' }, 'endpoint_url required'],
    [{ endpointUrl: 'nonsense' }, 'endpoint_url must be a valid URL'],
    [{ endpointUrl: 'ftp://example.com' }, 'endpoint_url must use https'],
    [{ events: [] }, 'events required'],
    [{ events: ['no.such_event'] }, 'unknown event type: no.such_event'],
    [{ signatureForm: 'x' }, 'signature_form must be one of body, timestamped, standard'],
    [{ retrySchedule: 'x' }, 'retry_schedule must be one of standard, fast'],
  ])('rejects %j', async (given, message) => {
    await expect(createWebhook(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  });

  it('keeps fields that an update omits, and shows a rotated secret once', async () => {
    const webhook = await createWebhook({ retrySchedule: 'fast', signatureForm: 'timestamped' });
    const settings = { endpointUrl: 'https://example.com/', events: ['customer.created'] };
    const change = { webhookId: webhook.id, ...settings };
    const updated = (await client.updateWebhook(change, owner())).webhook!;
    expect(updated).toMatchObject({ ...settings, enabled: true, signingSecret: '' });
    expect(updated).toMatchObject({ retrySchedule: 'fast', signatureForm: 'timestamped' });
    const rotated = (await client.updateWebhook({ ...change, rotateSecret: true }, owner())).webhook!;
    expect(rotated.signingSecret).toMatch(/^whsec_/);
    expect(rotated.signingSecret).not.toBe(webhook.signingSecret);
    const off = (await client.updateWebhook({ ...change, enabled: false }, owner())).webhook!;
    expect(off).toMatchObject({ enabled: false, disabledReason: 'owner' });
  });

  it('requires a new secret for the standard form when the current one is not base64', async () => {
    const { id, endpointUrl, events } = await createWebhook();
    const change = { webhookId: id, endpointUrl, events, signatureForm: 'standard' };
    const inBase64 = (await client.updateWebhook(change, owner())).webhook!;
    expect(inBase64).toMatchObject({ signatureForm: 'standard', signingSecret: '' });
    const sealed = resealSecret(config.keyring, `whsec_${'-_'.repeat(21)}A`, id);
    await database.pool.query(`UPDATE webhooks SET signature_form = 'body', secret_sealed = $2 WHERE id = $1`, [
      id,
      sealed.bytes,
    ]);
    const refused = client.updateWebhook(change, owner());
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('rotate_secret'),
    });
    expect((await client.getWebhook({ webhookId: id }, owner())).webhook?.signatureForm).toBe('body');
    const rotated = (await client.updateWebhook({ ...change, rotateSecret: true }, owner())).webhook!;
    expect(rotated.signatureForm).toBe('standard');
    expect(rotated.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('lists webhooks oldest first, in pages', async () => {
    const project = randomUUID();
    const settings = { endpointUrl: 'https://example.com/', events: ['request.completed'] };
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await client.createWebhook(settings, owner(project))).webhook!.id);
    const first = await client.listWebhooks({ limit: 3 }, owner(project));
    const second = await client.listWebhooks({ limit: 3, offset: 3 }, owner(project));
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect([...first.webhooks, ...second.webhooks].map((webhook) => webhook.id)).toEqual(ids);
  });

  it('answers NOT_FOUND for another project, and after deletion', async () => {
    const webhook = await createWebhook();
    const webhookId = webhook.id;
    const gone = { code: 'NOT_FOUND', message: 'webhook not found' };
    const settings = { endpointUrl: 'https://example.com/', events: ['request.completed'] };
    const everyCall = (call: () => ReturnType<typeof owner>) => [
      client.getWebhook({ webhookId }, call()),
      client.updateWebhook({ webhookId, ...settings }, call()),
      client.testWebhook({ webhookId }, call()),
      client.listWebhookDeliveries({ webhookId }, call()),
      client.redeliverWebhookDelivery({ webhookId, deliveryId: randomUUID() }, call()),
      client.deleteWebhook({ webhookId }, call()),
    ];
    const refused = await collectRejections(everyCall(() => owner(randomUUID())));
    for (const error of refused) expect(error).toMatchObject(gone);
    await client.deleteWebhook({ webhookId }, owner());
    for (const error of await collectRejections(everyCall(owner))) expect(error).toMatchObject(gone);
    await expect(client.getWebhook({ webhookId: 'no-uuid' }, owner())).rejects.toMatchObject(gone);
  });

  it('rejects every credential but the owner', async () => {
    for (const kind of [PrincipalKind.SECRET_KEY, PrincipalKind.PUBLISHABLE_KEY, PrincipalKind.CUSTOMER]) {
      await expect(client.listWebhooks({}, as(kind))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(client.listWebhooks({}, startCall())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('an event of another service', () => {
  it('sends one signed delivery to the subscribed endpoint and logs it', async () => {
    const webhook = await createWebhook();
    const requestId = randomUUID();
    const message: MessageInitShape<typeof UsageRecordedSchema> = {
      requestId,
      projectId,
      completesRequest: true,
      facts: { modelId: 'sandbox/echo-1', provider: 'sandbox', status: 200, success: true },
      usage: { inputTokens: 3n, outputTokens: 4n },
    };
    const event = { ...newEvent(eventTypes.usageRecorded, { key: projectId, message }), source: '/tollgate/test' };
    await transport.publish([event]);
    await transport.publish([event]);
    await waitUntil(() => arrivalsAt(webhook.endpointUrl).length > 0, { what: 'the delivery' });
    const [arrival] = arrivalsAt(webhook.endpointUrl);
    expect(parseDelivery(arrival!)).toMatchObject({
      event_type: 'request.completed',
      event_id: event.id,
      project_id: projectId,
      data: { request_id: requestId, total_tokens: 7 },
    });
    const log = async (filter = {}) =>
      (await client.listWebhookDeliveries({ webhookId: webhook.id, ...filter }, owner())).deliveries;
    await waitUntil(async () => (await log())[0]?.status === 'delivered', { what: 'the record' });
    const [delivery] = await log();
    expect(Buffer.from(delivery!.payload)).toEqual(arrival!.rawBody);
    expect(delivery).toMatchObject({ eventId: event.id, attemptCount: 1, responseStatus: 200, error: '' });
    expect(delivery!.attempts).toHaveLength(1);
    expect(await log({ status: 'delivered', eventType: 'request.completed' })).toHaveLength(1);
    expect(await log({ status: 'failed' })).toHaveLength(0);
    expect(await log({ eventType: 'customer.created' })).toHaveLength(0);
    await expect(log({ status: 'nonsense' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });

    const redelivered = await client.redeliverWebhookDelivery(
      { webhookId: webhook.id, deliveryId: delivery!.id },
      owner(),
    );
    expect(redelivered.delivery!.id).toBe(delivery!.id);
    await waitUntil(() => arrivalsAt(webhook.endpointUrl).length === 2, { what: 'the redelivery' });
    expect(arrivalsAt(webhook.endpointUrl)[1]!.rawBody).toEqual(arrival!.rawBody);
    await waitUntil(async () => (await log())[0]?.attempts.length === 2, { what: 'the record' });
    expect(await log()).toHaveLength(1);
  });
});

describe('an unreadable event', () => {
  it('moves to the dead-letter topic with the reason and blocks no later event', async () => {
    const webhook = await createWebhook({ events: ['customer.updated'] });
    const message = { projectId, customerId: randomUUID() };
    const good = { ...newEvent(eventTypes.customerUpdated, { key: message.customerId, message }), source: '/test' };
    const foreign = { ...message, projectId: 'no uuid' };
    const poison = [
      { ...good, id: randomUUID(), payload: Buffer.from('no protobuf') },
      { ...newEvent(eventTypes.customerUpdated, { key: good.key, message: foreign }), source: '/test' },
      {
        ...newEvent(eventTypes.customerUpdated, { key: good.key, message: { ...message, metadataJson: '{' } }),
        source: '/test',
      },
    ];
    const letters: ReceivedEvent[] = [];
    const reader = await transport.subscribe({
      group: 'reader',
      topics: [deadLetterTopic(eventTypes.customerUpdated.topic)],
      handler: async (event) => void letters.push(event),
    });
    await transport.publish([...poison, good]);
    await waitUntil(() => arrivalsAt(webhook.endpointUrl).length > 0, { what: 'the good event' });
    expect(arrivalsAt(webhook.endpointUrl).map((arrival) => parseDelivery(arrival).event_id)).toEqual([good.id]);
    await waitUntil(() => letters.length >= poison.length, { what: 'the dead letters' });
    expect(letters.map(({ id }) => id)).toEqual(poison.map(({ id }) => id));
    for (const { headers } of letters) {
      expect(headers).toMatchObject({ dlq_group: 'hooks-webhooks', dlq_reason: expect.stringMatching(/.+/) });
    }
    await reader.stop();
  });
});

describe('a redelivery', () => {
  it('restarts a failed delivery with five attempts', async () => {
    const webhook = await createWebhook({ events: ['customer.deleted'], retrySchedule: 'fast' });
    receiver.answerWith({ status: 400 });
    const message = { projectId, customerId: randomUUID() };
    await transport.publish([
      { ...newEvent(eventTypes.customerDeleted, { key: 'k', message }), source: '/tollgate/test' },
    ]);
    const log = async () => (await client.listWebhookDeliveries({ webhookId: webhook.id }, owner())).deliveries;
    await waitUntil(async () => (await log())[0]?.status === 'failed', { what: 'the failure' });
    receiver.answerWith({});
    const [delivery] = await log();
    await client.redeliverWebhookDelivery({ webhookId: webhook.id, deliveryId: delivery!.id }, owner());
    await waitUntil(async () => (await log())[0]?.status === 'delivered', { what: 'the redelivery' });
    expect((await log())[0]).toMatchObject({ attemptCount: 1, responseStatus: 200, error: '' });
  });

  it('rejects redelivery while the webhook is disabled, or through another webhook', async () => {
    const webhook = await createWebhook({ events: ['customer.updated'] });
    const other = await createWebhook({ events: ['customer.updated'], enabled: false });
    await client.testWebhook({ webhookId: webhook.id }, owner());
    await client.testWebhook({ webhookId: other.id }, owner());
    const deliveryId = async (webhookId: string) =>
      (await client.listWebhookDeliveries({ webhookId }, owner())).deliveries[0]!.id;
    await expect(
      client.redeliverWebhookDelivery({ webhookId: webhook.id, deliveryId: await deliveryId(other.id) }, owner()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      client.redeliverWebhookDelivery({ webhookId: other.id, deliveryId: await deliveryId(other.id) }, owner()),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('testWebhook', () => {
  it('sends a signed sample and reports the answer', async () => {
    const webhook = await createWebhook();
    receiver.answerNext({ status: 202, body: 'taken' });
    const result = await client.testWebhook({ webhookId: webhook.id, eventType: 'customer.created' }, owner());
    expect(result).toMatchObject({ status: 'delivered', responseStatus: 202, responseBody: 'taken' });
    expect(result.error).toBeUndefined();
    const [arrival] = arrivalsAt(webhook.endpointUrl);
    expect(arrival!.headers).toMatchObject({ 'x-service-event-type': 'customer.created' });
    expect(arrival!.headers['x-service-signature']).toMatch(/^sha256=/);
    const { deliveries } = await client.listWebhookDeliveries({ webhookId: webhook.id }, owner());
    expect(deliveries).toMatchObject([{ eventType: 'customer.created', status: 'delivered', attemptCount: 1 }]);
  });

  it('reports a failed test without retrying or counting it', async () => {
    const webhook = await createWebhook();
    for (let n = 0; n < 5; n++) {
      receiver.answerNext({ status: 500, body: 'broken' });
      const result = await client.testWebhook({ webhookId: webhook.id }, owner());
      expect(result).toMatchObject({ status: 'failed', responseStatus: 500, error: 'endpoint answered 500' });
    }
    expect((await client.getWebhook({ webhookId: webhook.id }, owner())).webhook!.enabled).toBe(true);
    const unreachable = await createWebhook({ endpointUrl: 'http://127.0.0.1:1/' });
    const result = await client.testWebhook({ webhookId: unreachable.id }, owner());
    expect(result).toMatchObject({ status: 'failed', responseBody: '' });
    expect(result.responseStatus).toBeUndefined();
    expect(result.error).toBeTruthy();
  });
});

describe('startHooks', () => {
  it('joins a local network and leaves it on stop', async () => {
    const local = new LocalNetwork();
    const running = await startHooks(testConfig(database), { logger: silentLogger, network: local, transport: idle });
    expect(running.address).toBeUndefined();
    await expect(local.client(HookService).listWebhooks({}, owner())).resolves.toBeDefined();
    await running.stop();
    await expect(local.client(HookService).listWebhooks({}, owner())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

const idle: EventTransport = {
  start: async () => {},
  publish: async () => {},
  subscribe: async () => ({ stop: async () => {} }),
  check: async () => {},
  readLag: async () => [],
  readKept: async () => [],
  advanceMark: async () => {},
  stop: async () => {},
};
