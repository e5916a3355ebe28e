import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { waitUntil } from '@tollgate/testkit';
import { HOLD_STATES } from '../domain/hold.js';
import {
  type CustomerOnTier,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../testing/ledger-harness.js';
import { type Cut, type CutProxy, startCutProxy } from './cut-proxy.js';
import { installWitness, violations } from './witness.js';

// Cuts the database connection at every statement of every operation on money: before the server receives the statement,
// and after the server executed it but before its response arrives. The caller then retries.

let harness: LedgerHarness;
let proxy: CutProxy;
/** Reaches the database through the proxy. */
let cutReplica: LocalNetwork;

/** Statements that move money. Loading subjects, the relay and other work are not watched. */
const MONEY = new RegExp(
  [
    '^(hold_all_or_nothing|lock_accounts|find_holds|raise_held|insert_holds|lock_holds|grow_holds|record_progress(_together)?|settle_and_hold)$',
    '(INTO|UPDATE|FROM) (transfers|accounts|holds|usage_rollups|outbox \\()',
  ].join('|'),
);

beforeAll(async () => {
  harness = await startLedgerHarness('failpoints', { env: { HOLD_TTL: '1h', HOLD_SWEEP_INTERVAL: '20ms' } });
  await installWitness(harness.database.pool);
  proxy = await startCutProxy(harness.database.url, (statement) => MONEY.test(statement));
  // Its sweeper does not run, so that only the test's statements count.
  cutReplica = await harness.replicaNetwork({ DATABASE_URL: proxy.url, HOLD_SWEEP_INTERVAL: '1h' });
});
afterAll(async () => {
  await harness.stop();
  await proxy.stop();
});

const USED = { inputTokens: 10n, outputTokens: 20n };
const PRICE = 7_000n;
const HELD = 28_000n;

interface Scene {
  owner: Principal;
  customer: CustomerOnTier;
  holdId: string;
}

interface Operation {
  /** Prepares the scene on another replica. */
  before?(scene: Scene): Promise<void>;
  run(scene: Scene, at: LocalNetwork): Promise<unknown>;
  /** The customer's total charge after the operation and the end of its request. */
  paid: bigint;
  /** The operation leaves the hold open; the test settles it afterwards. */
  open?: boolean;
}

const asCustomer = ({ customer, holdId }: Scene) =>
  startCall({ principal: customer.principal, requestId: holdId, timeoutMs: 20_000 });
const ask = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };

async function admit(scene: Scene, at: LocalNetwork, values: object = {}): Promise<void> {
  const req = { ...ask, holdId: scene.holdId, ...values };
  const { decision } = await at.client(BillingService).admit(req, asCustomer(scene));
  expect(decision.case).toBe('admitted');
}

async function settle(scene: Scene, at: LocalNetwork): Promise<void> {
  await at.client(BillingService).settle({ holdId: scene.holdId, usage: USED }, asCustomer(scene));
}

async function expire({ holdId }: Scene): Promise<void> {
  const { pool } = harness.database;
  await pool.query(`UPDATE holds SET expires_at = now() - interval '1 second' WHERE request_id = $1`, [holdId]);
  await untilEnded(holdId);
}

async function untilEnded(holdId: string): Promise<void> {
  const open = `SELECT 1 FROM holds WHERE request_id = $1 AND state = ${HOLD_STATES.open}`;
  const isEnded = async () => (await harness.database.pool.query(open, [holdId])).rowCount === 0;
  await waitUntil(isEnded, { what: `the end of hold ${holdId}` });
}

let plain: LocalNetwork;
beforeAll(async () => {
  plain = await harness.replicaNetwork();
});

const OPERATIONS: Record<string, Operation> = {
  'an admission that fits': { run: admit, paid: PRICE, open: true },
  'an admission that is cut to the funds': {
    run: (scene, at) => admit(scene, at, { maxOutputTokens: undefined }),
    paid: PRICE,
    open: true,
  },
  'an extension': {
    before: (scene) => admit(scene, plain),
    run: ({ holdId, ...scene }, at) => {
      const req = { holdId, extension: 1, inputTokensEstimate: 5n, maxOutputTokens: 5 };
      return at.client(HoldService).extendHold(req, asCustomer({ holdId, ...scene }));
    },
    paid: PRICE,
    open: true,
  },
  progress: {
    before: (scene) => admit(scene, plain),
    run: (scene, at) =>
      at.client(BillingService).recordProgress({ holdId: scene.holdId, usage: USED }, asCustomer(scene)),
    paid: PRICE,
    open: true,
  },
  'a settlement': { before: (scene) => admit(scene, plain), run: settle, paid: PRICE },
  'a settlement of a hold that another replica extended': {
    before: async (scene) => {
      await admit(scene, cutReplica);
      const req = { holdId: scene.holdId, extension: 1, inputTokensEstimate: 5n, maxOutputTokens: 5 };
      await plain.client(HoldService).extendHold(req, asCustomer(scene));
    },
    run: settle,
    paid: PRICE,
  },
  'a late settlement': {
    before: async (scene) => {
      await admit(scene, plain);
      await expire(scene);
    },
    run: settle,
    paid: PRICE,
  },
  'superseding a charged attempt': {
    before: async (scene) => {
      const lost = { ...scene, holdId: lostHoldId(scene) };
      await admit(lost, plain);
      await settle(lost, plain);
    },
    run: (scene, at) => admit(scene, at, { supersedesHoldId: lostHoldId(scene) }),
    paid: PRICE,
    open: true,
  },
  'superseding an open attempt': {
    before: (scene) => admit({ ...scene, holdId: lostHoldId(scene) }, plain),
    run: (scene, at) => admit(scene, at, { supersedesHoldId: lostHoldId(scene) }),
    paid: PRICE,
    open: true,
  },
  'a grant': {
    run: ({ owner, customer, holdId }, at) => {
      const target = { case: 'customerId' as const, value: customer.id };
      const req = { target, amountMicrocents: 1_000n, reason: 'promo', cause: holdId };
      return at.client(BillingService).grantCredit(req, callAs(owner));
    },
    paid: -1_000n,
  },
};

/** Derives the id of the superseded attempt from the scene's hold id. */
function lostHoldId({ holdId }: Scene): string {
  return `${holdId.slice(0, -1)}${holdId.endsWith('0') ? '1' : '0'}`;
}

const WALLET = 3n * HELD;

async function newScene(): Promise<Scene> {
  const owner = ownerPrincipal();
  await fundOwner(harness.billing, owner, 10_000_000n);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, WALLET);
  return { owner, customer, holdId: randomUUID() };
}

/** Runs an operation with one cut, retries it, ends its request, and checks the final state. */
async function play(operation: Operation, cut: Cut | undefined): Promise<string[]> {
  const scene = await newScene();
  await operation.before?.(scene);
  // Loads the subject into the cache, because loading it is not part of the operation.
  await cutReplica.client(BillingService).admit({ ...ask, model: 'none', holdId: randomUUID() }, asCustomer(scene));
  proxy.arm(cut);
  await operation.run(scene, cutReplica).catch(() => undefined);
  const { seen, isCut } = proxy;
  proxy.arm();
  expect(isCut).toBe(cut !== undefined);
  await operation.run(scene, plain);
  if (operation.open) await settle(scene, plain);
  await expectSound(scene, operation.paid);
  return seen;
}

async function expectSound(scene: Scene, paid: bigint): Promise<void> {
  const { owner, customer } = scene;
  await expireAll(owner);
  expect(await violations(harness.database.pool, owner.accountId)).toEqual([]);
  const verdict = await harness.billing.verifyLedger({}, callAs(owner));
  expect(verdict).toMatchObject({ differences: [], openHolds: 0n });
  const balance = await harness.billing.getCustomerBalance({ customerId: customer.id }, callAs(owner));
  expect(balance).toMatchObject({ balanceMicrocents: WALLET - paid, reservedMicrocents: 0n });
}

/** Expires all open holds of the owner. */
async function expireAll({ accountId }: Principal): Promise<void> {
  const { rows } = await harness.database.pool.query<{ request_id: string }>(
    `UPDATE holds SET expires_at = now() - interval '1 second' WHERE owner_account_id = $1 AND state = ${HOLD_STATES.open} RETURNING request_id`,
    [accountId],
  );
  for (const { request_id } of rows) await untilEnded(request_id);
}

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  it('has its effect once when the connection breaks at any statement and the caller retries', async () => {
    const statements = await play(operation, undefined);
    expect(statements.length).toBeGreaterThan(0);
    for (let at = 1; at <= statements.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await play(operation, { at, when }).catch((error: Error) => {
          throw new Error(`cut ${when} statement ${at}, ${statements[at - 1]?.slice(0, 80)}: ${error.message}`);
        });
      }
    }
  }, 600_000);
});
