import { randomBytes } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { ConnectionService } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { silentLogger } from '@tollgate/runtime';
import { toKeyring } from '@tollgate/runtime/secret-box';
import { callAs, ECHO, ownerPrincipal, startLedgerHarness } from '../../testing/ledger-harness.js';
import { resealConnections } from './reseal-connections.js';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');
const harness = await startLedgerHarness('reseal', { env: { SECRETS_ENCRYPTION_KEY: first } });
afterAll(() => harness.stop());

it('replaces the seal of an earlier key, so that the key can be removed', async () => {
  const owner = ownerPrincipal({ kind: PrincipalKind.OWNER });
  const models = [{ modelId: ECHO, upstreamModel: 'x' }];
  const request = { name: 'mine', mode: OwnConnections.ONLY, entryJson: '{}', models, secretsJson: '{"keys":["k"]}' };
  await harness.connections.createConnection(request, callAs(owner));
  const { pool } = harness.database;
  expect(await resealConnections({ keyring: toKeyring(second, [first]), pool, logger: silentLogger })).toBe(1);
  expect(await resealConnections({ keyring: toKeyring(second), pool, logger: silentLogger })).toBe(0);
  const replica = await harness.replicaNetwork({ SECRETS_ENCRYPTION_KEY: second });
  const { connections } = await replica.client(ConnectionService).openConnections({}, callAs(owner));
  expect(connections.map(({ secretsJson }) => secretsJson)).toEqual(['{"keys":["k"]}']);
});
