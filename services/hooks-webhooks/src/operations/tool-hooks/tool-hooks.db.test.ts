import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  type CreateToolHookRequestSchema,
  HookDecision,
  type RunToolHooksRequestSchema,
  ToolHookService,
  type UpdateToolHookRequestSchema,
} from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { createEmbeddedTransport, type EventTransport } from '@tollgate/events';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Client, GrpcNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { collectRejections, parseDelivery, startWebhookReceiver, type WebhookReceiver } from '@tollgate/testkit';
import { startHooks } from '../../server.js';
import { testConfig } from '../../testing/harness.js';

let database: TestDatabase;
let transport: EventTransport;
let hooks: RunningService;
let network: GrpcNetwork;
let client: Client<typeof ToolHookService>;
let receiver: WebhookReceiver;
const projectId = randomUUID();

const as = (kind: PrincipalKind, given: MessageInitShape<typeof PrincipalSchema> = {}) =>
  startCall({ principal: create(PrincipalSchema, { kind, projectId, ...given }) });
const owner = (project = projectId) => as(PrincipalKind.OWNER, { projectId: project });

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  transport = createEmbeddedTransport({ url: database.url, logger: silentLogger, schema: `${database.schema}_events` });
  await transport.start();
  hooks = await startHooks(testConfig(database), { logger: silentLogger, transport });
  network = new GrpcNetwork({ addresses: { [ToolHookService.typeName]: hooks.address! } });
  client = network.client(ToolHookService);
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

async function createHook(given: MessageInitShape<typeof CreateToolHookRequestSchema> = {}, project = projectId) {
  const settings = { hookType: 'pre_tool_use', endpointUrl: `${receiver.url}${randomUUID()}`, ...given };
  const { hook, signingSecret } = await client.createToolHook(settings, owner(project));
  return { ...hook!, signingSecret };
}

describe('tool hooks', () => {
  it.each([
    ['pre_tool_use', [], 'fail_closed'],
    ['post_tool_use', [], 'fail_open'],
    ['tool_execute', ['search'], 'fail_closed'],
  ])(
    'creates a hook of type %s with defaults and a sealed secret that is shown once',
    async (hookType, toolsAllowlist, failBehavior) => {
      const project = randomUUID();
      const hook = await createHook({ hookType, toolsAllowlist }, project);
      expect(hook.signingSecret).toMatch(/^thsec_[\w-]{43}$/);
      const fields = { hookType, toolsAllowlist, failBehavior, enabled: true, timeoutMs: 5_000, allowMutation: false };
      expect(hook).toMatchObject({ ...fields, projectId: project });
      const { hook: read } = await client.getToolHook({ id: hook.id }, owner(project));
      expect(read).toMatchObject({ ...fields, id: hook.id });
      expect(JSON.stringify(await client.listToolHooks({}, owner(project)), bigints)).not.toContain(hook.signingSecret);
      const { rows } = await database.pool.query('SELECT * FROM tool_hooks WHERE id = $1', [hook.id]);
      expect(rows[0].secret_sealed.includes(hook.signingSecret)).toBe(false);
      expect(rows[0].secret_key_id).toMatch(/^[0-9a-f]{12}$/);
    },
  );

  it.each<[MessageInitShape<typeof CreateToolHookRequestSchema>, string]>([
    [{ hookType: '' }, 'hook_type required'],
    [{ endpointUrl: '' }, 'endpoint_url required'],
    [{ endpointUrl: 'nonsense' }, 'endpoint_url must be a valid URL'],
    [{ endpointUrl: 'ftp://example.com' }, 'endpoint_url must use https'],
    [{ hookType: 'tool_execute' }, 'tools_allowlist required for tool_execute hooks'],
    [{ allowMutation: true }, 'allow_mutation is only valid for post_tool_use hooks'],
    [{ endpointUrl: 'http://169.254.169.254/' }, 'endpoint_url is not allowed: the host may not be called'],
  ])('rejects %j', async (given, message) => {
    await expect(createHook(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  });

  it('keeps fields that an update omits, and shows a rotated secret once', async () => {
    const toolsAllowlist = ['search'];
    const hook = await createHook({ hookType: 'post_tool_use', allowMutation: true, toolsAllowlist, timeoutMs: 700 });
    const same = await client.updateToolHook({ id: hook.id }, owner());
    expect(same.signingSecret).toBe('');
    expect(same.hook).toMatchObject({ allowMutation: true, toolsAllowlist, timeoutMs: 700, failBehavior: 'fail_open' });
    const change = { enabled: false, timeoutMs: 900, failBehavior: 'fail_closed', toolsAllowlist: { tools: [] } };
    const changed = await client.updateToolHook({ id: hook.id, ...change, rotateSecret: true }, owner());
    expect(changed.signingSecret).toMatch(/^thsec_/);
    expect(changed.signingSecret).not.toBe(hook.signingSecret);
    expect(changed.hook).toMatchObject({ ...change, toolsAllowlist: [], allowMutation: true });
  });

  it('applies the same rules to an update', async () => {
    const execute = await createHook({ hookType: 'tool_execute', toolsAllowlist: ['search'] });
    const pre = await createHook();
    const cases: [MessageInitShape<typeof UpdateToolHookRequestSchema>, string][] = [
      [{ id: execute.id, toolsAllowlist: { tools: [] } }, 'tools_allowlist required for tool_execute hooks'],
      [{ id: pre.id, allowMutation: true }, 'allow_mutation is only valid for post_tool_use hooks'],
      [{ id: pre.id, endpointUrl: '' }, 'endpoint_url required'],
      [{ id: pre.id, endpointUrl: 'ftp://example.com' }, 'endpoint_url must use https'],
    ];
    for (const [change, message] of cases) {
      const refused = { code: 'VALIDATION_ERROR', message };
      await expect(client.updateToolHook(change, owner())).rejects.toMatchObject(refused);
    }
  });

  it('lists tool hooks oldest first, in pages', async () => {
    const project = randomUUID();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await createHook({}, project)).id);
    const first = await client.listToolHooks({ limit: 3 }, owner(project));
    const second = await client.listToolHooks({ limit: 3, offset: 3 }, owner(project));
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect([...first.hooks, ...second.hooks].map((hook) => hook.id)).toEqual(ids);
  });

  it('answers NOT_FOUND for another project, and after deletion', async () => {
    const { id } = await createHook();
    const gone = { code: 'NOT_FOUND', message: 'tool hook not found' };
    const everyCall = (call: () => ReturnType<typeof owner>) => [
      client.getToolHook({ id }, call()),
      client.updateToolHook({ id }, call()),
      client.testToolHook({ id }, call()),
      client.listToolHookEvents({ id }, call()),
      client.deleteToolHook({ id }, call()),
    ];
    const refused = await collectRejections(everyCall(() => owner(randomUUID())));
    for (const error of refused) expect(error).toMatchObject(gone);
    await client.deleteToolHook({ id }, owner());
    for (const error of await collectRejections(everyCall(owner))) expect(error).toMatchObject(gone);
    await expect(client.getToolHook({ id: 'no-uuid' }, owner())).rejects.toMatchObject(gone);
  });

  it('rejects every credential but the owner', async () => {
    for (const kind of [PrincipalKind.SECRET_KEY, PrincipalKind.PUBLISHABLE_KEY, PrincipalKind.CUSTOMER]) {
      await expect(client.listToolHooks({}, as(kind))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(client.listToolHooks({}, startCall())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a test of a hook', () => {
  it.each([
    [{ body: { action: 'allow' } }, { status: 'success', responseStatus: 200, responseBody: '{"action":"allow"}' }],
    [{ body: { action: 'block', error: 'no' } }, { status: 'blocked', responseStatus: 200, error: 'no' }],
    [
      { status: 500, body: 'sorry' },
      { status: 'error', responseStatus: 500, responseBody: 'sorry' },
    ],
    [{ hang: true }, { status: 'timeout', responseBody: '' }],
  ])('reports and logs the answer %j as %j', async (answer, expected) => {
    const hook = await createHook({ timeoutMs: 'hang' in answer ? 300 : 5_000, enabled: false });
    receiver.answerNext(answer);
    const { $typeName: _, ...result } = await client.testToolHook({ id: hook.id }, owner());
    expect(result).toMatchObject(expected);
    const { events } = await client.listToolHookEvents({ id: hook.id }, owner());
    expect(events).toMatchObject([{ ...result, hookConfigId: hook.id }]);
  });

  it('sends a call in the real form', async () => {
    const hook = await createHook({ hookType: 'post_tool_use', toolsAllowlist: ['kv.write'] });
    await client.testToolHook({ id: hook.id }, owner());
    const delivery = receiver.deliveries.find(({ path }) => hook.endpointUrl.endsWith(path));
    expect(parseDelivery(delivery!)).toMatchObject({
      hook: 'post_tool_use',
      project_id: projectId,
      tool_call: { name: 'kv.write', arguments: expect.any(Object) },
      tool_result: expect.anything(),
    });
  });
});

describe('the event log', () => {
  it('lists events newest first, in pages', async () => {
    const hook = await createHook();
    for (let n = 0; n < 5; n++) await client.testToolHook({ id: hook.id }, owner());
    const first = await client.listToolHookEvents({ id: hook.id, limit: 3 }, owner());
    const second = await client.listToolHookEvents({ id: hook.id, limit: 3, offset: 3 }, owner());
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    const times = [...first.events, ...second.events].map((event) => event.createdAt!);
    const millis = times.map(({ seconds, nanos }) => Number(seconds) * 1000 + nanos / 1e6);
    expect(millis).toEqual([...millis].sort((a, b) => b - a));
    expect(new Set([...first.events, ...second.events].map((event) => event.id)).size).toBe(5);
  });
});

describe('running hooks', () => {
  const request = (given: MessageInitShape<typeof RunToolHooksRequestSchema> = {}) => ({
    hookType: 'pre_tool_use',
    requestId: randomUUID(),
    toolCallId: 'call_1',
    toolName: 'search',
    argumentsJson: '{"q":1}',
    ...given,
  });

  it('accepts every credential of a request and sends the customer', async () => {
    const project = randomUUID();
    const hook = await createHook({}, project);
    receiver.answerWith({ body: { action: 'allow' } });
    const customer = as(PrincipalKind.CUSTOMER, { projectId: project, customerId: 'c', customerExternalId: 'ext-7' });
    const forCustomer = await client.runToolHooks(request(), customer);
    expect(forCustomer).toMatchObject({ decision: HookDecision.ALLOW, toolName: 'search', argumentsJson: '{"q":1}' });
    await client.runToolHooks(request(), as(PrincipalKind.SECRET_KEY, { projectId: project }));
    const asked = receiver.deliveries.filter(({ path }) => hook.endpointUrl.endsWith(path)).map(parseDelivery);
    expect(asked.map((body) => body.end_user_id)).toEqual(['ext-7', undefined]);
    receiver.answerWith({});
  });

  it('calls a hook once per turn, whatever request ids the client sends', async () => {
    const project = randomUUID();
    const hook = await createHook({}, project);
    receiver.answerWith({ body: { action: 'allow' } });
    const key = as(PrincipalKind.SECRET_KEY, { projectId: project });
    for (const executionId of ['turn-1', 'turn-2', 'turn-2']) {
      await client.runToolHooks(request({ requestId: 'the same', executionId }), key);
    }
    const asked = receiver.deliveries.filter(({ path }) => hook.endpointUrl.endsWith(path)).map(parseDelivery);
    expect(asked.map((body) => body.request_id)).toEqual(['the same', 'the same']);
    receiver.answerWith({});
  });

  it('returns no decision without hooks', async () => {
    const call = as(PrincipalKind.SECRET_KEY, { projectId: randomUUID() });
    expect((await client.runToolHooks(request(), call)).decision).toBe(HookDecision.NONE);
  });

  it.each([
    [{ hookType: 'x' }],
    [{ requestId: '' }],
    [{ toolCallId: '' }],
    [{ toolName: '' }],
    [{ argumentsJson: '[]' }],
    [{ argumentsJson: '{' }],
    [{ toolResultJson: '{' }],
  ])('rejects %j', async (given) => {
    await expect(client.runToolHooks(request(given), as(PrincipalKind.SECRET_KEY))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
