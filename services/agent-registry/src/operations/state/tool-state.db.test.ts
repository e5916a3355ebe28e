import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { Call } from '@tollgate/rpc';
import { toolLimits } from '@tollgate/tools';
import { newCallers, startTestService, type TestService } from '../../testing/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(import.meta.url);
});

afterAll(() => service.stop());

const tools = () => service.network.client(ToolStateService);

type Scope = { case: 'stateId' | 'sessionId'; value: string };
type Operation = [name: string, args: object];

async function apply(scope: Scope, call: Call, ...operations: Operation[]): Promise<unknown[]> {
  const wanted = operations.map(([name, args]) => ({ name, argumentsJson: JSON.stringify(args) }));
  const { outputs } = await tools().applyToolOperations({ scope, operations: wanted }, call);
  return outputs.map((output) => JSON.parse(output));
}

async function newHandle(call: Call, ttlSeconds?: number): Promise<Scope> {
  const request = ttlSeconds === undefined ? {} : { ttlSeconds };
  const { handle } = await service.network.client(StateService).createStateHandle(request, call);
  return { case: 'stateId', value: handle!.id };
}

async function newSession(call: Call): Promise<Scope> {
  const { session } = await service.network.client(SessionService).createSession({}, call);
  return { case: 'sessionId', value: session!.id };
}

describe.each([
  ['state handle', (call: Call) => newHandle(call)],
  ['session', newSession],
])('tools on a %s', (_, make) => {
  it('keeps pairs and tasks between calls', async () => {
    const { byProject } = newCallers();
    const scope = await make(byProject);
    const tasks = [{ content: 'count', status: 'pending' }];
    expect(await apply(scope, byProject, ['kv_write', { key: 'b/1', value: 'x' }], ['tasks_write', { tasks }])).toEqual(
      [{ ok: true }, { ok: true }],
    );
    expect(
      await apply(
        scope,
        byProject,
        ['kv.write', { key: 'a', value: '' }],
        ['kv_list', {}],
        ['kv_read', { key: 'b/1' }],
        ['kv_delete', { key: 'b/1' }],
        ['kv_read', { key: 'b/1' }],
        ['kv_delete', { key: 'b/1' }],
      ),
    ).toEqual([
      { ok: true },
      { keys: ['a', 'b/1'] },
      { found: true, value: 'x' },
      { ok: true, deleted: true },
      { found: false },
      { ok: true, deleted: false },
    ]);
  });

  it('loses no write of many concurrent ones', async () => {
    const { byProject } = newCallers();
    const scope = await make(byProject);
    const keys = Array.from({ length: 40 }, (_unused, i) => `k${String(i).padStart(2, '0')}`);
    await Promise.all(keys.map((key) => apply(scope, byProject, ['kv_write', { key, value: key }])));
    expect(await apply(scope, byProject, ['kv_list', {}])).toEqual([{ keys }]);
  });

  it('returns a refusal as the result of one operation and runs the others', async () => {
    const { byProject } = newCallers();
    const scope = await make(byProject);
    const long = 'x'.repeat(toolLimits.valueBytes + 1);
    const outputs = await apply(
      scope,
      byProject,
      ['kv_write', { key: 'one', value: '1' }],
      ['kv_write', { key: 'long', value: long }],
      ['kv_write', { key: '/bad', value: '1' }],
      ['kv_write', { key: 'no value' }],
      ['kv_list', {}],
    );
    const refused = { error: { code: 'INVALID_INPUT', message: expect.any(String) } };
    expect(outputs).toEqual([{ ok: true }, refused, refused, refused, { keys: ['one'] }]);
  });

  it('enforces 256 keys and 128 KB over several calls', async () => {
    const { byProject } = newCallers();
    const scope = await make(byProject);
    const writes = Array.from(
      { length: toolLimits.keys },
      (_unused, i): Operation => ['kv_write', { key: `k${i}`, value: '' }],
    );
    expect((await apply(scope, byProject, ...writes)).every((output) => 'ok' in (output as object))).toBe(true);
    const [refused] = await apply(scope, byProject, ['kv_write', { key: 'one/more', value: '' }]);
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('256 keys') } });
    const value = 'x'.repeat(toolLimits.valueBytes);
    const big = await apply(
      scope,
      byProject,
      ...[0, 1, 2, 3, 4].map((i): Operation => ['kv_write', { key: `k${i}`, value }]),
    );
    expect(big.slice(0, 4)).toEqual(Array(4).fill({ ok: true }));
    expect(big[4]).toMatchObject({ error: { message: expect.stringContaining('131072 bytes') } });
  });

  it('hides the state from other customers and projects', async () => {
    const { byAnn, byBob, byProject, byStranger } = newCallers();
    const scope = await make(byAnn);
    await apply(scope, byAnn, ['kv_write', { key: 'a', value: 'secret' }]);
    for (const call of [byBob, byStranger]) {
      await expect(apply(scope, call, ['kv_list', {}])).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(apply(scope, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await apply(scope, byProject, ['kv_list', {}])).toEqual([{ keys: ['a'] }]);
  });

  it('answers NOT_FOUND for an unknown id, even without operations', async () => {
    const { byProject } = newCallers();
    const { case: kind } = await make(byProject);
    for (const value of [randomUUID(), 'nothing']) {
      await expect(apply({ case: kind, value }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('tools on a state handle', () => {
  it('answers NOT_FOUND after the time to live', async () => {
    const { byProject } = newCallers();
    const scope = await newHandle(byProject, 60);
    expect(await apply(scope, byProject, ['kv_write', { key: 'a', value: '1' }])).toEqual([{ ok: true }]);
    service.clock.ms += 60_000;
    await expect(apply(scope, byProject, ['kv_read', { key: 'a' }])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('deletes the state with the handle', async () => {
    const { byProject } = newCallers();
    const scope = await newHandle(byProject);
    await apply(scope, byProject, ['kv_write', { key: 'a', value: '1' }]);
    await service.network.client(StateService).deleteStateHandle({ id: scope.value }, byProject);
    const { rows } = await service.database.pool.query('SELECT 1 FROM state_handle_contents WHERE state_id = $1', [
      scope.value,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('invalid calls', () => {
  it.each([
    ['a tool that keeps no state', 'web_search'],
    ['an unknown tool', 'rm'],
  ])('rejects %s before running any operation', async (_, name) => {
    const { byProject } = newCallers();
    const scope = await newHandle(byProject);
    await expect(apply(scope, byProject, ['kv_write', { key: 'a', value: '1' }], [name, {}])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await apply(scope, byProject, ['kv_list', {}])).toEqual([{ keys: [] }]);
  });

  it('rejects a call without a scope', async () => {
    await expect(tools().applyToolOperations({}, newCallers().byProject)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
