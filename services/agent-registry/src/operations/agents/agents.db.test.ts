import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OUTBOX_SQL } from '@tollgate/events';
import { type Call, startCall } from '@tollgate/rpc';
import { callFor, ofNewProject, startTestRegistry, type TestRegistry, withTools } from '../../testing/test-registry.js';

const functionTool = (name: string) => ({ definition: { type: 'function', function: { name } } });

let harness: TestRegistry;
let client: TestRegistry['client'];

beforeAll(async () => {
  harness = await startTestRegistry(import.meta.url);
  client = harness.client;
});

afterAll(() => harness.stop());

describe('createAgent', () => {
  it("stores the first revision with the contract's defaults and emits an event", async () => {
    const call = ofNewProject();
    const { agent, version } = await harness.makeAgent(call);
    expect(agent).toMatchObject({ slug: 'helper', name: 'Helper', description: '', currentRevision: 1 });
    expect(agent?.projectId).toBe(call.principal?.projectId);
    expect(version).toMatchObject({
      revision: 1,
      toolsJson: '[]',
      fragmentsJson: '',
      maxSteps: 10,
      maxDurationSec: 300,
      stepTimeoutSec: 60,
      toolFailurePolicy: 'stop',
    });
    expect(version?.toolRetryCount).toBeUndefined();
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot).toMatchObject({ agent, version });
    const source = '/tollgate/agent-registry';
    expect(await harness.readEvents(agent!.id)).toEqual([
      { type: 'agent.created', source, slug: 'helper', revision: 1, requestId: 'req-1' },
    ]);
  });

  it('stores every form of tool unchanged, with the order of keys', async () => {
    const call = ofNewProject();
    const parameters = { type: 'object', properties: { zulu: {}, alpha: { const: 'é\u0000' }, 1: {} } };
    const tools = [
      { definition: { type: 'function', function: { name: 'act', parameters } } },
      { definition: { type: 'function', function: { name: 'ask' } }, hook_id: randomUUID() },
      { fragment: { ref: 'lookup', inputs: { query: '', page: '/a~1b/~0' } } },
    ];
    const fragments = {
      lookup: {
        kind: 'workflow.v1',
        inputs: [{ name: 'query', type: 'string' }, { name: 'page' }],
        nodes: [{ id: 'n', type: 'transform.json', input: { pointer: '/q' } }],
        outputs: [{ name: 'out', from: 'n' }],
      },
    };
    const values = { name: 'Helper', toolsJson: JSON.stringify(tools), fragmentsJson: JSON.stringify(fragments) };
    await harness.makeAgent(call, 'helper', values);
    const { version } = (await client.getAgent({ slug: 'helper' }, call)).snapshot!;
    expect(version?.toolsJson).toBe(JSON.stringify(tools));
    expect(version?.fragmentsJson).toBe(JSON.stringify(fragments));
  });

  it('creates only one agent when several concurrent calls use one slug', async () => {
    const call = ofNewProject();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => harness.makeAgent(call)));
    const lost = results.filter((result) => result.status === 'rejected').map((result) => result.reason.code);
    expect(lost).toEqual(Array(5).fill('CONFLICT'));
    const { agents } = await client.listAgents({ limit: 10 }, call);
    expect(agents).toHaveLength(1);
    expect(await harness.readEvents(agents[0]!.agent!.id)).toHaveLength(1);
  });

  it('lets two projects use the same slug', async () => {
    const [first, second] = [await harness.makeAgent(ofNewProject()), await harness.makeAgent(ofNewProject())];
    expect(first.agent?.id).not.toBe(second.agent?.id);
  });

  it.each([
    ['a slug that is not URL-safe', 'a b', { name: 'x' }],
    ['no slug', '', { name: 'x' }],
    ['a slug with a revision', 'a@1', { name: 'x' }],
    ['no name', 'a', {}],
    ['tools that are not JSON', 'a', { name: 'x', toolsJson: '[' }],
    ['tools that are not an array', 'a', { name: 'x', toolsJson: '{}' }],
    ['a tool of no known form', 'a', withTools({})],
    ['a tool of two forms', 'a', withTools({ ...functionTool('a'), fragment: { ref: 'a' } })],
    ['a hook without a definition', 'a', withTools({ hook_id: randomUUID() })],
    ['a malformed hook id', 'a', withTools({ hook_id: 'h', ...functionTool('a') })],
    ['a function tool without a function', 'a', withTools({ definition: { type: 'function' } })],
    ['an unknown type of tool', 'a', withTools({ definition: { type: 'magic' } })],
    ['a fragment tool without its fragment', 'a', withTools({ fragment: { ref: 'lookup' } })],
    ['an input mapping that is not a pointer', 'a', withTools({ fragment: { ref: 'lookup', inputs: { q: 'q' } } })],
    ['a fragment without nodes', 'a', { name: 'x', fragmentsJson: '{"f":{"nodes":[],"outputs":[{"name":"o"}]}}' }],
    ['an unknown failure policy', 'a', { name: 'x', toolFailurePolicy: 'unknown' }],
    ['too many steps', 'a', { name: 'x', maxSteps: 1_001 }],
  ])('rejects %s and stores nothing', async (_, slug, values) => {
    const call = ofNewProject();
    await expect(harness.makeAgent(call, slug, values)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await client.listAgents({ limit: 10 }, call)).agents).toEqual([]);
  });
});

describe('reading agents', () => {
  it('pages through the agents of a project with their current revisions, oldest first', async () => {
    const call = ofNewProject();
    for (const slug of ['c', 'a', 'b']) await harness.makeAgent(call, slug);
    await client.updateAgent({ slug: 'a', values: { system: 's' }, updateMask: ['system'] }, call);
    const first = await client.listAgents({ limit: 2, offset: 0 }, call);
    const second = await client.listAgents({ limit: 2, offset: 2 }, call);
    const seen = [...first.agents, ...second.agents].map(({ agent, version }) => [agent?.slug, version?.revision]);
    expect(seen).toEqual([
      ['c', 1],
      ['a', 2],
      ['b', 1],
    ]);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  it('pages through the revisions, newest first', async () => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    for (const system of ['two', 'three']) await harness.change(call, { system }, ['system']);
    const first = await client.listAgentVersions({ slug: 'helper', limit: 2 }, call);
    const second = await client.listAgentVersions({ slug: 'helper', limit: 2, offset: 2 }, call);
    expect(first.versions.map((version) => version.system)).toEqual(['three', 'two']);
    expect(second.versions.map((version) => version.system)).toEqual(['']);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  it('answers NOT_FOUND for a revision that does not exist', async () => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    const reading = client.getAgent({ slug: 'helper', revision: 2 }, call);
    await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'agent revision not found' });
  });
});

describe('deleteAgent', () => {
  it('hides the agent, frees its slug and keeps its revisions for runs that pinned them', async () => {
    const call = ofNewProject();
    const old = await harness.makeAgent(call, 'helper', { name: 'Helper', system: 'one' });
    await harness.change(call, { system: 'two' }, ['system']);
    await client.deleteAgent({ slug: 'helper' }, call);
    await expect(client.getAgent({ slug: 'helper' }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.deleteAgent({ slug: 'helper' }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.listAgents({ limit: 10 }, call)).agents).toEqual([]);

    const recreated = await harness.makeAgent(call, 'helper', { name: 'Recreated' });
    expect(recreated.agent?.currentRevision).toBe(1);
    expect(recreated.agent?.id).not.toBe(old.agent?.id);
    const pin = { agentId: old.agent!.id, revision: 1 };
    const pinned = await client.resolveAgent({ by: { case: 'pin', value: pin } }, call);
    expect(pinned.snapshot?.version).toEqual(old.version);
    const types = (await harness.readEvents(old.agent!.id)).map((event) => event.type);
    expect(types).toEqual(['agent.created', 'agent.revised', 'agent.deleted']);
  });

  it('succeeds for exactly one of several concurrent calls', async () => {
    const call = ofNewProject();
    const { agent } = await harness.makeAgent(call);
    const tries = Array.from({ length: 4 }, () => client.deleteAgent({ slug: 'helper' }, call));
    const results = await Promise.allSettled(tries);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await harness.readEvents(agent!.id)).toHaveLength(2);
  });
});

describe('resolveAgent', () => {
  const resolve = (call: Call, reference: string) =>
    client.resolveAgent({ by: { case: 'reference', value: reference } }, call);

  it('returns the current revision by default, even to customers', async () => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    await harness.change(call, { system: 'two' }, ['system']);
    const customer = callFor(PrincipalKind.CUSTOMER, call.principal?.projectId, randomUUID());
    expect((await resolve(customer, 'helper')).snapshot?.version?.revision).toBe(2);
    expect((await resolve(customer, 'helper@1')).snapshot?.version?.revision).toBe(1);
  });

  it.each(['nobody', 'helper@2', 'helper@0', 'not a slug'])('answers NOT_FOUND for %s', async (reference) => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    await expect(resolve(call, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('requires a reference or a pin', async () => {
    await expect(client.resolveAgent({}, ofNewProject())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('credentials', () => {
  it('hides the agents of another project from every call', async () => {
    const { agent } = await harness.makeAgent(ofNewProject());
    const other = ofNewProject();
    const pin = { agentId: agent!.id, revision: 1 };
    const ways: Promise<unknown>[] = [
      client.getAgent({ slug: 'helper' }, other),
      client.listAgentVersions({ slug: 'helper', limit: 1 }, other),
      harness.change(other, { name: 'Mine' }, ['name']),
      client.deleteAgent({ slug: 'helper' }, other),
      client.resolveAgent({ by: { case: 'reference', value: 'helper' } }, other),
      client.resolveAgent({ by: { case: 'pin', value: pin } }, other),
    ];
    const results = await Promise.allSettled(ways);
    expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      Array(ways.length).fill('NOT_FOUND'),
    );
    expect((await client.listAgents({ limit: 10 }, other)).agents).toEqual([]);
  });

  it('accepts an owner like a secret key', async () => {
    const call = callFor(PrincipalKind.OWNER);
    const { agent } = await harness.makeAgent(call);
    expect((await client.listAgents({ limit: 10 }, call)).agents[0]?.agent).toEqual(agent);
  });

  it.each([
    ['no credential', () => startCall(), 'UNAUTHORIZED'],
    ['a publishable key', () => callFor(PrincipalKind.PUBLISHABLE_KEY), 'FORBIDDEN'],
    ['a customer', () => callFor(PrincipalKind.CUSTOMER, randomUUID(), randomUUID()), 'FORBIDDEN'],
    ['an owner without a project', () => callFor(PrincipalKind.OWNER, ''), 'UNAUTHORIZED'],
  ])('rejects listing agents with %s', async (_, call, code) => {
    await expect(client.listAgents({ limit: 1 }, call())).rejects.toMatchObject({ code });
  });
});

describe('the first migration', () => {
  it('contains the outbox exactly as the events package defines it', async () => {
    const file = new URL('../../../prisma/migrations/20261129000000_initial/migration.sql', import.meta.url);
    expect(await readFile(file, 'utf8')).toContain(OUTBOX_SQL);
  });
});
