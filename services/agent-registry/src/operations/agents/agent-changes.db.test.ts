import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ofNewProject, startTestRegistry, type TestRegistry, withTools } from '../../testing/test-registry.js';

let harness: TestRegistry;
let client: TestRegistry['client'];

beforeAll(async () => {
  harness = await startTestRegistry(import.meta.url);
  client = harness.client;
});

afterAll(() => harness.stop());

describe('updateAgent', () => {
  it('makes a new revision of a changed configuration and keeps the old one', async () => {
    const call = ofNewProject();
    const first = await harness.makeAgent(call, 'helper', { name: 'Helper', system: 'one' });
    const second = await harness.change(call, { system: 'two' }, ['system'], 1);
    expect(second.agent).toMatchObject({ id: first.agent?.id, currentRevision: 2 });
    expect(second.version).toMatchObject({ revision: 2, system: 'two' });
    const old = (await client.getAgent({ slug: 'helper', revision: 1 }, call)).snapshot!;
    expect(old.version).toEqual(first.version);
    expect(old.agent).toEqual(second.agent);
    expect((await harness.readEvents(first.agent!.id)).map((event) => [event.type, event.revision])).toEqual([
      ['agent.created', 1],
      ['agent.revised', 2],
    ]);
  });

  it('makes no revision for a changed name', async () => {
    const call = ofNewProject();
    const first = await harness.makeAgent(call);
    const next = await harness.change(call, { name: 'Helfer', description: 'Hilft.' }, ['name', 'description']);
    expect(next.agent).toMatchObject({ name: 'Helfer', description: 'Hilft.', currentRevision: 1 });
    expect(next.version).toEqual(first.version);
    expect((await harness.readEvents(first.agent!.id)).map((event) => event.type)).toEqual([
      'agent.created',
      'agent.updated',
    ]);
  });

  it('keeps even the update time when nothing differs', async () => {
    const call = ofNewProject();
    const tool = { definition: { type: 'function', function: { name: 'a', parameters: { x: 1, y: [1, 2] } } } };
    const first = await harness.makeAgent(call, 'helper', { name: 'Helper', toolsJson: JSON.stringify([tool]) });
    const reordered = '[{"definition":{"function":{"parameters":{"y":[1,2],"x":1},"name":"a"},"type":"function"}}]';
    const next = await harness.change(call, { name: 'Helper', toolsJson: reordered, maxSteps: 10 }, [
      'name',
      'tools_json',
      'max_steps',
      'model',
    ]);
    expect(next).toEqual(first);
    expect(await harness.readEvents(first.agent!.id)).toHaveLength(1);
  });

  it('resets a field in the mask without a value to its default', async () => {
    const call = ofNewProject();
    await harness.makeAgent(call, 'helper', {
      name: 'Helper',
      maxSteps: 3,
      toolFailurePolicy: 'retry',
      toolRetryCount: 4,
    });
    const next = await harness.change(call, {}, ['max_steps', 'tool_retry_count']);
    expect(next.version).toMatchObject({ maxSteps: 10, toolFailurePolicy: 'retry', toolRetryCount: 1 });
  });

  it.each([
    ['an older revision', 1],
    ['a later revision', 3],
  ])('rejects a change based on %s', async (_, expected) => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    await harness.change(call, { system: 'two' }, ['system'], 1);
    await expect(harness.change(call, { name: 'Late' }, ['name'], expected)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot?.agent?.name).toBe('Helper');
  });

  it('applies exactly one of several concurrent changes from the same revision', async () => {
    const call = ofNewProject();
    const { agent } = await harness.makeAgent(call);
    const tries = Array.from({ length: 6 }, (_, i) => harness.change(call, { system: `by ${i}` }, ['system'], 1));
    const results = await Promise.allSettled(tries);
    const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(lost).toEqual(Array(5).fill('CONFLICT'));
    expect(won).toHaveLength(1);
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot).toEqual(won[0]);
    expect(await harness.readEvents(agent!.id)).toHaveLength(2);
  });

  it('applies all concurrent changes without an expected revision and numbers revisions without gaps', async () => {
    const call = ofNewProject();
    const { agent } = await harness.makeAgent(call);
    await Promise.all([
      harness.change(call, { system: 's' }, ['system']),
      harness.change(call, { model: 'm' }, ['model']),
      harness.change(call, { maxSteps: 7 }, ['max_steps']),
      harness.change(call, { name: 'n' }, ['name']),
    ]);
    const { snapshot } = await client.getAgent({ slug: 'helper' }, call);
    expect(snapshot?.agent).toMatchObject({ name: 'n', currentRevision: 4 });
    expect(snapshot?.version).toMatchObject({ revision: 4, system: 's', model: 'm', maxSteps: 7 });
    const { versions } = await client.listAgentVersions({ slug: 'helper', limit: 10 }, call);
    expect(versions.map((version) => version.revision)).toEqual([4, 3, 2, 1]);
    const revisions = (await harness.readEvents(agent!.id)).map((event) => event.revision);
    expect(revisions).toEqual([...revisions].sort((x, y) => x - y));
  });

  it('rejects a change that makes the agent invalid, including a removal', async () => {
    const call = ofNewProject();
    const fragmentsJson = '{"lookup":{"nodes":[{"id":"n","type":"join.all"}],"outputs":[{"name":"o"}]}}';
    await harness.makeAgent(call, 'helper', { ...withTools({ fragment: { ref: 'lookup' } }), fragmentsJson });
    await expect(harness.change(call, {}, ['fragments_json'])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'tools[0].fragment.ref', message: 'refers to an unknown fragment: lookup' }],
    });
    expect((await client.getAgent({ slug: 'helper' }, call)).snapshot?.agent?.currentRevision).toBe(1);
  });

  it('rejects a mask with an unknown field', async () => {
    const call = ofNewProject();
    await harness.makeAgent(call);
    await expect(harness.change(call, {}, ['slug'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
