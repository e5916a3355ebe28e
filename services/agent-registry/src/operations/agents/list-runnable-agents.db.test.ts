import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callFor, ofNewProject, startTestRegistry, type TestRegistry } from '../../testing/test-registry.js';

let harness: TestRegistry;
let client: TestRegistry['client'];

beforeAll(async () => {
  harness = await startTestRegistry(import.meta.url);
  client = harness.client;
});
afterAll(() => harness.stop());

it('pages through the agents that exist by slug, for a customer too', async () => {
  const call = ofNewProject();
  for (const slug of ['c', 'a', 'gone', 'b']) await harness.makeAgent(call, slug, { name: `Agent ${slug}` });
  await client.deleteAgent({ slug: 'gone' }, call);
  const customer = callFor(PrincipalKind.CUSTOMER, call.principal?.projectId, randomUUID());
  const first = await client.listRunnableAgents({ limit: 2 }, customer);
  const second = await client.listRunnableAgents({ limit: 2, afterSlug: 'b' }, customer);
  expect([...first.agents, ...second.agents].map(({ slug, name }) => [slug, name])).toEqual([
    ['a', 'Agent a'],
    ['b', 'Agent b'],
    ['c', 'Agent c'],
  ]);
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
});

it('shows the declared input of the current revision, with the order of its properties', async () => {
  const call = ofNewProject();
  const inputSchemaJson = '{"type":"object","properties":{"z":{"type":"string"},"a":{"const":1}},"required":["z"]}';
  await harness.makeAgent(call, 'helper', { name: 'Helper', inputSchemaJson });
  const list = async () => (await client.listRunnableAgents({ limit: 1 }, call)).agents[0]?.inputSchemaJson;
  expect(await list()).toBe(inputSchemaJson);
  expect((await harness.change(call, { inputSchemaJson }, ['input_schema_json'])).version?.revision).toBe(1);
  expect((await harness.change(call, {}, ['input_schema_json'])).version).toMatchObject({
    revision: 2,
    inputSchemaJson: '',
  });
  expect(await list()).toBe('');
});

it.each(['[]', '{}', '{"type":"string"}', '{"type":"object","properties":{"a":true}}'])(
  'rejects %s as a declared input',
  async (inputSchemaJson) => {
    const values = { name: 'Helper', inputSchemaJson };
    await expect(harness.makeAgent(ofNewProject(), 'helper', values)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  },
);

it('shows no agent of another project', async () => {
  await harness.makeAgent(ofNewProject());
  expect((await client.listRunnableAgents({ limit: 10 }, ofNewProject())).agents).toEqual([]);
});

it.each([0, -1, 201])('rejects a limit of %i', async (limit) => {
  await expect(client.listRunnableAgents({ limit }, ofNewProject())).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
