import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentService, type AgentSnapshot } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import {
  createEmbeddedTransport,
  decodeEvent,
  type EventTransport,
  eventTypes,
  OUTBOX_SQL,
  type ReceivedEvent,
} from '@tollgate/events';
import { emptyDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { configFromEnv } from './config.js';
import { type RunningAgentRegistry, startAgentRegistry } from './server.js';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let service: RunningAgentRegistry;
let transport: EventTransport;
let client: Client<typeof AgentService>;
const network = new LocalNetwork();
const received: ReceivedEvent[] = [];

beforeAll(async () => {
  database = await emptyDatabase(import.meta.url);
  service = await startAgentRegistry(configFromEnv({ DATABASE_URL: database.url }), { network, logger: silentLogger });
  client = network.client(AgentService);
  transport = createEmbeddedTransport({ url: database.url, logger: silentLogger });
  await transport.start();
  const handler = async (event: ReceivedEvent) => void received.push(event);
  await transport.subscribe({ group: 'test', topics: ['tollgate.agents.v1'], handler });
});

afterAll(async () => {
  await transport.stop();
  await service.stop();
  await database.drop();
});

function callFor(kind: PrincipalKind, projectId: string = randomUUID(), customerId = ''): Call {
  return startCall({ requestId: 'req-1', principal: create(PrincipalSchema, { kind, projectId, customerId }) });
}

const ofNewProject = (): Call => callFor(PrincipalKind.SECRET_KEY);
const functionTool = (name: string) => ({ definition: { type: 'function', function: { name } } });
const withTools = (...tools: object[]) => ({ name: 'Helper', toolsJson: JSON.stringify(tools) });

async function makeAgent(call: Call, slug = 'helper', values: object = { name: 'Helper' }): Promise<AgentSnapshot> {
  return (await client.createAgent({ slug, values }, call)).snapshot!;
}

async function change(call: Call, values: object, updateMask: string[], expectedRevision?: number) {
  const request = { slug: 'helper', values, updateMask, ...(expectedRevision !== undefined && { expectedRevision }) };
  return (await client.updateAgent(request, call)).snapshot!;
}

/** What consumers get about an agent, complete: the transport keeps the order of commits, and a later event has arrived. */
async function eventsOf(agentId: string) {
  const { agent: marker } = await makeAgent(ofNewProject());
  while (!received.some((event) => event.key === marker?.id)) await sleep(5);
  return received
    .filter((event) => event.key === agentId)
    .map((event) => {
      const definition = { ...eventTypes.agentCreated, type: event.type };
      const { slug, revision } = decodeEvent(definition, event);
      return { type: event.type, source: event.source, slug, revision, requestId: event.requestId };
    });
}

describe('creating', () => {
  it('stores the first revision with the defaults of the contract and tells about it', async () => {
    const call = ofNewProject();
    const { agent, version } = await makeAgent(call);
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
    expect(await eventsOf(agent!.id)).toEqual([
      { type: 'agent.created', source, slug: 'helper', revision: 1, requestId: 'req-1' },
    ]);
  });

  it('keeps every form of tool as it was given, keys in order', async () => {
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
    await makeAgent(call, 'helper', values);
    const { version } = (await client.getAgent({ slug: 'helper' }, call)).snapshot!;
    expect(version?.toolsJson).toBe(JSON.stringify(tools));
    expect(version?.fragmentsJson).toBe(JSON.stringify(fragments));
  });

  it('lets exactly one of several concurrent creations have a slug', async () => {
    const call = ofNewProject();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => makeAgent(call)));
    const lost = results.filter((result) => result.status === 'rejected').map((result) => result.reason.code);
    expect(lost).toEqual(Array(5).fill('CONFLICT'));
    const { agents } = await client.listAgents({ limit: 10 }, call);
    expect(agents).toHaveLength(1);
    expect(await eventsOf(agents[0]!.agent!.id)).toHaveLength(1);
  });

  it('lets two projects use the same slug', async () => {
    const [first, second] = [await makeAgent(ofNewProject()), await makeAgent(ofNewProject())];
    expect(first.agent?.id).not.toBe(second.agent?.id);
  });

  it.each([
    ['a slug that is not URL-safe', 'a b', { name: 'x' }],
    ['no slug', '', { name: 'x' }],
    ['a slug with a revision', 'a@1', { name: 'x' }],
    ['no name', 'a', {}],
    ['tools that are no JSON', 'a', { name: 'x', toolsJson: '[' }],
    ['tools that are no array', 'a', { name: 'x', toolsJson: '{}' }],
    ['a tool of no known form', 'a', withTools({})],
    ['a tool of two forms', 'a', withTools({ ...functionTool('a'), fragment: { ref: 'a' } })],
    ['a hook without a definition', 'a', withTools({ hook_id: randomUUID() })],
    ['a hook id that is none', 'a', withTools({ hook_id: 'h', ...functionTool('a') })],
    ['a function tool without a function', 'a', withTools({ definition: { type: 'function' } })],
    ['an unknown type of tool', 'a', withTools({ definition: { type: 'magic' } })],
    ['a fragment tool without its fragment', 'a', withTools({ fragment: { ref: 'lookup' } })],
    ['an input mapping that is no pointer', 'a', withTools({ fragment: { ref: 'lookup', inputs: { q: 'q' } } })],
    ['a fragment without nodes', 'a', { name: 'x', fragmentsJson: '{"f":{"nodes":[],"outputs":[{"name":"o"}]}}' }],
    ['an unknown failure policy', 'a', { name: 'x', toolFailurePolicy: 'pray' }],
    ['too many steps', 'a', { name: 'x', maxSteps: 1_001 }],
  ])('refuses %s and stores nothing', async (_, slug, values) => {
    const call = ofNewProject();
    await expect(makeAgent(call, slug, values)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await client.listAgents({ limit: 10 }, call)).agents).toEqual([]);
  });
});

describe('changing', () => {
  it('makes a new revision of a changed configuration and leaves the old one as it was', async () => {
    const call = ofNewProject();
    const first = await makeAgent(call, 'helper', { name: 'Helper', system: 'one' });
    const second = await change(call, { system: 'two' }, ['system'], 1);
    expect(second.agent).toMatchObject({ id: first.agent?.id, currentRevision: 2 });
    expect(second.version).toMatchObject({ revision: 2, system: 'two' });
    const old = (await client.getAgent({ slug: 'helper', revision: 1 }, call)).snapshot!;
    expect(old.version).toEqual(first.version);
    expect(old.agent).toEqual(second.agent);
    expect((await eventsOf(first.agent!.id)).map((event) => [event.type, event.revision])).toEqual([
      ['agent.created', 1],
      ['agent.revised', 2],
    ]);
  });

  it('makes no revision of a changed name', async () => {
    const call = ofNewProject();
    const first = await makeAgent(call);
    const next = await change(call, { name: 'Helfer', description: 'Hilft.' }, ['name', 'description']);
    expect(next.agent).toMatchObject({ name: 'Helfer', description: 'Hilft.', currentRevision: 1 });
    expect(next.version).toEqual(first.version);
    expect((await eventsOf(first.agent!.id)).map((event) => event.type)).toEqual(['agent.created', 'agent.updated']);
  });

  it('changes nothing, not even the time of the last change, when nothing differs', async () => {
    const call = ofNewProject();
    const tool = { definition: { type: 'function', function: { name: 'a', parameters: { x: 1, y: [1, 2] } } } };
    const first = await makeAgent(call, 'helper', { name: 'Helper', toolsJson: JSON.stringify([tool]) });
    const reordered = '[{"definition":{"function":{"parameters":{"y":[1,2],"x":1},"name":"a"},"type":"function"}}]';
    const next = await change(call, { name: 'Helper', toolsJson: reordered, maxSteps: 10 }, [
      'name',
      'tools_json',
      'max_steps',
      'model',
    ]);
    expect(next).toEqual(first);
    expect(await eventsOf(first.agent!.id)).toHaveLength(1);
  });

  it('returns a field that is named without a value to its default', async () => {
    const call = ofNewProject();
    await makeAgent(call, 'helper', { name: 'Helper', maxSteps: 3, toolFailurePolicy: 'retry', toolRetryCount: 4 });
    const next = await change(call, {}, ['max_steps', 'tool_retry_count']);
    expect(next.version).toMatchObject({ maxSteps: 10, toolFailurePolicy: 'retry', toolRetryCount: 1 });
  });

  it.each([
    ['an older revision', 1],
    ['a later revision', 3],
  ])('refuses a change made from %s', async (_, expected) => {
    const call = ofNewProject();
    await makeAgent(call);
    await change(call, { system: 'two' }, ['system'], 1);
    await expect(change(call, { name: 'Late' }, ['name'], expected)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot?.agent?.name).toBe('Helper');
  });

  it('lets exactly one of several concurrent changes from the same revision win', async () => {
    const call = ofNewProject();
    const { agent } = await makeAgent(call);
    const tries = Array.from({ length: 6 }, (_, i) => change(call, { system: `by ${i}` }, ['system'], 1));
    const results = await Promise.allSettled(tries);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(lost).toEqual(Array(5).fill('CONFLICT'));
    expect(won).toHaveLength(1);
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot).toEqual(won[0]);
    expect(await eventsOf(agent!.id)).toHaveLength(2);
  });

  it('loses none of several concurrent changes that expect nothing, and numbers revisions without gap', async () => {
    const call = ofNewProject();
    const { agent } = await makeAgent(call);
    await Promise.all([
      change(call, { system: 's' }, ['system']),
      change(call, { model: 'm' }, ['model']),
      change(call, { maxSteps: 7 }, ['max_steps']),
      change(call, { name: 'n' }, ['name']),
    ]);
    const { snapshot } = await client.getAgent({ slug: 'helper' }, call);
    expect(snapshot?.agent).toMatchObject({ name: 'n', currentRevision: 4 });
    expect(snapshot?.version).toMatchObject({ revision: 4, system: 's', model: 'm', maxSteps: 7 });
    const { versions } = await client.listAgentVersions({ slug: 'helper', limit: 10 }, call);
    expect(versions.map((version) => version.revision)).toEqual([4, 3, 2, 1]);
    const told = (await eventsOf(agent!.id)).map((event) => event.revision);
    expect(told).toEqual([...told].sort((x, y) => x - y));
  });

  it('refuses a change that leaves the agent invalid, also by what it takes away', async () => {
    const call = ofNewProject();
    const fragmentsJson = '{"lookup":{"nodes":[{"id":"n","type":"join.all"}],"outputs":[{"name":"o"}]}}';
    await makeAgent(call, 'helper', { ...withTools({ fragment: { ref: 'lookup' } }), fragmentsJson });
    await expect(change(call, {}, ['fragments_json'])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'tools[0].fragment.ref', message: 'names no fragment: lookup' }],
    });
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot?.agent?.currentRevision).toBe(1);
  });

  it('refuses a mask that names no field', async () => {
    const call = ofNewProject();
    await makeAgent(call);
    await expect(change(call, {}, ['slug'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('reading', () => {
  it('pages through the agents of a project with their current revisions, oldest first', async () => {
    const call = ofNewProject();
    for (const slug of ['c', 'a', 'b']) await makeAgent(call, slug);
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
    await makeAgent(call);
    for (const system of ['two', 'three']) await change(call, { system }, ['system']);
    const first = await client.listAgentVersions({ slug: 'helper', limit: 2 }, call);
    const second = await client.listAgentVersions({ slug: 'helper', limit: 2, offset: 2 }, call);
    expect(first.versions.map((version) => version.system)).toEqual(['three', 'two']);
    expect(second.versions.map((version) => version.system)).toEqual(['']);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  it('finds no revision that was never made', async () => {
    const call = ofNewProject();
    await makeAgent(call);
    const reading = client.getAgent({ slug: 'helper', revision: 2 }, call);
    await expect(reading).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'agent revision not found' });
  });
});

describe('deleting', () => {
  it('hides the agent, frees its slug and keeps its revisions for those who pinned them', async () => {
    const call = ofNewProject();
    const old = await makeAgent(call, 'helper', { name: 'Helper', system: 'one' });
    await change(call, { system: 'two' }, ['system']);
    await client.deleteAgent({ slug: 'helper' }, call);
    await expect(client.getAgent({ slug: 'helper' }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.deleteAgent({ slug: 'helper' }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.listAgents({ limit: 10 }, call)).agents).toEqual([]);

    const heir = await makeAgent(call, 'helper', { name: 'Heir' });
    expect(heir.agent?.currentRevision).toBe(1);
    expect(heir.agent?.id).not.toBe(old.agent?.id);
    const pin = { agentId: old.agent!.id, revision: 1 };
    const pinned = await client.resolveAgent({ by: { case: 'pin', value: pin } }, call);
    expect(pinned.snapshot?.version).toEqual(old.version);
    const told = (await eventsOf(old.agent!.id)).map((event) => event.type);
    expect(told).toEqual(['agent.created', 'agent.revised', 'agent.deleted']);
  });

  it('happens once when asked several times at once', async () => {
    const call = ofNewProject();
    const { agent } = await makeAgent(call);
    const tries = Array.from({ length: 4 }, () => client.deleteAgent({ slug: 'helper' }, call));
    const results = await Promise.allSettled(tries);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(agent!.id)).toHaveLength(2);
  });
});

describe('resolving for a run', () => {
  const resolve = (call: Call, reference: string) =>
    client.resolveAgent({ by: { case: 'reference', value: reference } }, call);

  it('takes the current revision unless one is named, for customers too', async () => {
    const call = ofNewProject();
    await makeAgent(call);
    await change(call, { system: 'two' }, ['system']);
    const customer = callFor(PrincipalKind.CUSTOMER, call.principal?.projectId, randomUUID());
    expect((await resolve(customer, 'helper')).snapshot?.version?.revision).toBe(2);
    expect((await resolve(customer, 'helper@1')).snapshot?.version?.revision).toBe(1);
  });

  it.each(['nobody', 'helper@2', 'helper@0', 'not a slug'])('finds nothing under %s', async (reference) => {
    const call = ofNewProject();
    await makeAgent(call);
    await expect(resolve(call, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('wants a reference or a pin', async () => {
    await expect(client.resolveAgent({}, ofNewProject())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('credentials', () => {
  it('finds nothing of another project, by any way', async () => {
    const { agent } = await makeAgent(ofNewProject());
    const other = ofNewProject();
    const pin = { agentId: agent!.id, revision: 1 };
    const ways: Promise<unknown>[] = [
      client.getAgent({ slug: 'helper' }, other),
      client.listAgentVersions({ slug: 'helper', limit: 1 }, other),
      change(other, { name: 'Mine' }, ['name']),
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

  it('serves an owner like a secret key', async () => {
    const call = callFor(PrincipalKind.OWNER);
    const { agent } = await makeAgent(call);
    expect((await client.listAgents({ limit: 10 }, call)).agents[0]?.agent).toEqual(agent);
  });

  it.each([
    ['none', startCall(), 'UNAUTHORIZED'],
    ['a publishable key', callFor(PrincipalKind.PUBLISHABLE_KEY), 'FORBIDDEN'],
    ['a customer', callFor(PrincipalKind.CUSTOMER, randomUUID(), randomUUID()), 'FORBIDDEN'],
    ['an owner without a project', callFor(PrincipalKind.OWNER, ''), 'UNAUTHORIZED'],
  ])('%s cannot list agents', async (_, call, code) => {
    await expect(client.listAgents({ limit: 1 }, call)).rejects.toMatchObject({ code });
  });
});

describe('the first migration', () => {
  it('contains the outbox exactly as the events package wants it', async () => {
    const file = new URL('../prisma/migrations/20261120150000_agents/migration.sql', import.meta.url);
    expect(await readFile(file, 'utf8')).toContain(OUTBOX_SQL);
  });
});
