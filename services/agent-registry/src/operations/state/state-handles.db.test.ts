import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { elapsed, silentLogger } from '@tollgate/runtime';
import { openParts, type RunningService } from '@tollgate/service';
import { configFromEnv } from '../../config.js';
import { createContext } from '../../context.js';
import { startAgentRegistry } from '../../server.js';
import { deleteExpiredStateHandles } from '../../store/state-handles.js';
import { createStateHandleSweeper, SWEEP_BATCH } from '../../workers/sweep-state-handles.js';

let database: TestDatabase;
let service: RunningService;
let client: Client<typeof StateService>;
const network = new LocalNetwork();
const clock = {
  ms: Date.parse('2030-01-01T00:00:00.000Z'),
  now: () => new Date(clock.ms++),
  nowMs: () => clock.ms,
  elapsed,
};
const config = () => configFromEnv({ DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema });

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  service = await startAgentRegistry(config(), { network, logger: silentLogger, clock });
  client = network.client(StateService);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

function callFor(projectId: string, customerId = '', kind?: PrincipalKind): Call {
  const by = kind ?? (customerId ? PrincipalKind.CUSTOMER : PrincipalKind.SECRET_KEY);
  return startCall({ principal: create(PrincipalSchema, { kind: by, projectId, customerId }) });
}

function newCallers() {
  const projectId = randomUUID();
  return {
    projectId,
    byProject: callFor(projectId),
    byAnn: callFor(projectId, randomUUID()),
    byBob: callFor(projectId, randomUUID()),
  };
}

async function make(call: Call, ttlSeconds?: number) {
  return (await client.createStateHandle(ttlSeconds === undefined ? {} : { ttlSeconds }, call)).handle!;
}

async function idsFor(call: Call): Promise<string[]> {
  const { handles } = await client.listStateHandles({ limit: 100 }, call);
  return handles.map((handle) => handle.id);
}

describe('state handles', () => {
  it('keeps a handle without a time to live until it is deleted', async () => {
    const { projectId, byProject } = newCallers();
    const handle = await make(byProject);
    expect(handle).toMatchObject({ projectId, customerId: '' });
    expect(handle.expiresAt).toBeUndefined();
    expect((await client.getStateHandle({ id: handle.id }, byProject)).handle).toEqual(handle);
    await client.deleteStateHandle({ id: handle.id }, byProject);
    await expect(client.getStateHandle({ id: handle.id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.deleteStateHandle({ id: handle.id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([1, 31_536_000])('expires a handle exactly after %i seconds', async (ttlSeconds) => {
    const { byProject } = newCallers();
    const { expiresAt, createdAt } = await make(byProject, ttlSeconds);
    expect(timestampMs(expiresAt!) - timestampMs(createdAt!)).toBe(ttlSeconds * 1000);
  });

  it.each([0, -1, 31_536_001])('rejects a time to live of %i seconds', async (ttlSeconds) => {
    const { byProject } = newCallers();
    await expect(make(byProject, ttlSeconds)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await idsFor(byProject)).toEqual([]);
  });

  it('hides an expired handle before it is swept', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject, 60);
    clock.ms += 59_000;
    expect(await idsFor(byProject)).toEqual([id]);
    clock.ms += 2_000;
    expect(await idsFor(byProject)).toEqual([]);
    await expect(client.getStateHandle({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.deleteStateHandle({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lists handles newest first, page by page', async () => {
    const { byProject } = newCallers();
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.unshift((await make(byProject)).id);
    const first = await client.listStateHandles({ limit: 2 }, byProject);
    const second = await client.listStateHandles({ limit: 2, offset: 2 }, byProject);
    expect([...first.handles, ...second.handles].map((handle) => handle.id)).toEqual(made);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  it.each(['nothing', randomUUID()])('answers NOT_FOUND for the id %s', async (id) => {
    const { byProject } = newCallers();
    await expect(client.getStateHandle({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.deleteStateHandle({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('scope', () => {
  it('shows a customer its own handles, and the project all of them', async () => {
    const { byProject, byAnn, byBob } = newCallers();
    const ofAnn = await make(byAnn);
    const ofProject = await make(byProject);
    expect(ofAnn.customerId).toBe(byAnn.principal?.customerId);
    expect(await idsFor(byAnn)).toEqual([ofAnn.id]);
    expect(await idsFor(byBob)).toEqual([]);
    expect(await idsFor(byProject)).toEqual([ofProject.id, ofAnn.id]);
  });

  it('hides the handles of another customer and of another project', async () => {
    const { byAnn, byBob } = newCallers();
    const { id } = await make(byAnn);
    for (const call of [byBob, newCallers().byProject]) {
      await expect(client.getStateHandle({ id }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(client.deleteStateHandle({ id }, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await idsFor(byAnn)).toEqual([id]);
  });

  it.each([
    ['no credential', () => startCall(), 'UNAUTHORIZED'],
    ['a publishable key', () => callFor(randomUUID(), '', PrincipalKind.PUBLISHABLE_KEY), 'FORBIDDEN'],
    ['a customer token without a customer', () => callFor(randomUUID(), '', PrincipalKind.CUSTOMER), 'UNAUTHORIZED'],
  ])('rejects creating a handle with %s', async (_, call, code) => {
    await expect(make(call())).rejects.toMatchObject({ code });
  });
});

describe('sweeping', () => {
  it('deletes expired handles in bounded batches and keeps the others', async () => {
    const { projectId, byProject } = newCallers();
    const kept = [await make(byProject), await make(byProject, 3_600)];
    await database.pool.query(
      `INSERT INTO state_handles (id, project_id, created_at, expires_at)
       SELECT gen_random_uuid(), $1, $2, $2 FROM generate_series(1, $3)`,
      [projectId, new Date(clock.ms), SWEEP_BATCH * 2 + 7],
    );
    const parts = openParts('agent-registry', config(), { logger: silentLogger, clock });
    const ctx = await createContext(parts);
    try {
      expect(await deleteExpiredStateHandles(ctx.pool, clock.now(), 5)).toBe(5);
      const count = async () => {
        const { rows } = await database.pool.query(
          'SELECT count(*)::int AS n FROM state_handles WHERE project_id = $1',
          [projectId],
        );
        return rows[0].n as number;
      };
      const sweeper = createStateHandleSweeper({ db: ctx.pool, clock, logger: silentLogger, intervalMs: 3_600_000 });
      while ((await count()) > kept.length) await new Promise((resolve) => setImmediate(resolve));
      await sweeper.stop();
      expect(await idsFor(byProject)).toEqual(kept.map((handle) => handle.id).reverse());
    } finally {
      await parts.stop();
    }
  });
});
