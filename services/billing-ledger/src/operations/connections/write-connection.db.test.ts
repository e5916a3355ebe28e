import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { callAs, ECHO, type LedgerHarness, ownerPrincipal, startLedgerHarness } from '../../testing/ledger-harness.js';

const SECRET = 'sk-ant-very-secret';
let harness: LedgerHarness;

beforeAll(async () => {
  const env = { SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  harness = await startLedgerHarness('connections', { env });
});
afterAll(() => harness.stop());

const user = () => ownerPrincipal({ kind: PrincipalKind.OWNER });
const written = (more: object = {}) => ({
  name: 'mine',
  mode: OwnConnections.PREFER,
  entryJson: '{"preset":"anthropic"}',
  models: [{ modelId: ECHO, upstreamModel: 'claude' }],
  secretsJson: JSON.stringify({ keys: [{ secret: SECRET }], headers: { 'x-team': 'blue' } }),
  ...more,
});

async function create(owner: Principal, more: object = {}) {
  const { connection } = await harness.connections.createConnection(written(more), callAs(owner));
  return connection!;
}

async function open(owner: Principal) {
  const { connections } = await harness.connections.openConnections({}, callAs(owner));
  return connections.map(({ secretsJson }) => JSON.parse(secretsJson));
}

describe('connections of a project', () => {
  it('stores settings in the clear and secrets sealed', async () => {
    const owner = user();
    const { id } = await create(owner);
    const { connection } = await harness.connections.getConnection({ id }, callAs(owner));
    expect(connection).toMatchObject({ name: 'mine', mode: OwnConnections.PREFER, version: 1 });
    expect(JSON.parse(connection!.entryJson)).toEqual({ preset: 'anthropic' });
    expect(connection!.models).toMatchObject([{ modelId: ECHO, upstreamModel: 'claude' }]);
    const { rows } = await harness.database.pool.query('SELECT * FROM connections WHERE id = $1', [id]);
    expect(JSON.stringify({ ...rows[0], secret_sealed: rows[0].secret_sealed.toString('latin1') })).not.toContain(
      SECRET,
    );
    expect(await open(owner)).toEqual([{ keys: [{ secret: SECRET }], headers: { 'x-team': 'blue' } }]);
  });

  it('updates settings, and only the secrets that are given', async () => {
    const owner = user();
    const { id, version } = await create(owner);
    const secretsJson = JSON.stringify({ keys: [{ secret: 'new' }] });
    const change = { ...written({ mode: OwnConnections.ONLY, secretsJson }), id, version };
    const { connection } = await harness.connections.updateConnection(change, callAs(owner));
    expect(connection).toMatchObject({ mode: OwnConnections.ONLY, version: 2 });
    expect(await open(owner)).toEqual([{ keys: [{ secret: 'new' }], headers: { 'x-team': 'blue' } }]);
    await harness.connections.updateConnection({ ...change, version: 2, secretsJson: '' }, callAs(owner));
    expect(await open(owner)).toEqual([{ keys: [{ secret: 'new' }], headers: { 'x-team': 'blue' } }]);
  });

  it('rejects an update that was made from an earlier version', async () => {
    const owner = user();
    const { id, version } = await create(owner);
    const change = { ...written(), id, version };
    await harness.connections.updateConnection(change, callAs(owner));
    await expect(harness.connections.updateConnection(change, callAs(owner))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('deletes a connection with its secrets', async () => {
    const owner = user();
    const { id } = await create(owner);
    await harness.connections.deleteConnection({ id }, callAs(owner));
    expect(await open(owner)).toEqual([]);
    await expect(harness.connections.deleteConnection({ id }, callAs(owner))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('lists connections in pages, oldest first', async () => {
    const owner = user();
    for (const name of ['c', 'a', 'b']) await create(owner, { name });
    const page = await harness.connections.listConnections({ limit: 2, offset: 1 }, callAs(owner));
    expect([page.connections.map(({ name }) => name), page.hasMore]).toEqual([['a', 'b'], false]);
    const first = await harness.connections.listConnections({ limit: 1 }, callAs(owner));
    expect([first.connections.map(({ name }) => name), first.hasMore]).toEqual([['c'], true]);
  });

  it('rejects a repeated name and more than 20 connections', async () => {
    const owner = user();
    await create(owner);
    await expect(create(owner)).rejects.toMatchObject({ code: 'CONFLICT' });
    const others = Array.from({ length: 25 }, (_, i) => create(owner, { name: `c${i}` }));
    const results = await Promise.allSettled(others);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  });

  it('rejects a model without prices', async () => {
    const models = [{ modelId: 'nobody/nothing', upstreamModel: 'x' }];
    await expect(create(user(), { models })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'models[0].model' }],
    });
  });

  it('hides connections from other projects, keys and customers', async () => {
    const owner = user();
    const { id } = await create(owner);
    await expect(harness.connections.getConnection({ id }, callAs(user()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    for (const kind of [PrincipalKind.SECRET_KEY, PrincipalKind.CUSTOMER]) {
      const other = createMessage(PrincipalSchema, { ...owner, kind });
      await expect(harness.connections.getConnection({ id }, callAs(other))).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
  });
});

it('names the missing setting without a key for secrets', async () => {
  const bare = await startLedgerHarness('connections bare');
  try {
    await expect(bare.connections.createConnection(written(), callAs(user()))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('SECRETS_ENCRYPTION_KEY'),
    });
  } finally {
    await bare.stop();
  }
});
