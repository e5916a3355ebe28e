import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import {
  admit,
  callAs,
  customerOn,
  ECHO,
  fundOwner,
  fundWallet,
  HELD,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from '../../testing/ledger-harness.js';

const { ONLY, PREFER, UNSPECIFIED } = OwnConnections;
const OWN = { passesOwnConnections: true };
const WALLET = 1_000_000n;
/** 10 in at 100 and 20 out at 300: what the customer pays, and the catalog's cost. */
const COST = 10n * 100n + 20n * 300n;
let harness: LedgerHarness;

beforeAll(async () => {
  const env = { SECRETS_ENCRYPTION_KEY: randomBytes(32).toString('base64'), HOLD_TTL: '60s' };
  harness = await startLedgerHarness('own', { env });
});
afterAll(() => harness.stop());

async function connect(owner: Principal, mode: OwnConnections): Promise<string> {
  const models = [{ modelId: ECHO, upstreamModel: 'mine' }];
  const request = { name: 'mine', mode, entryJson: '{}', models, secretsJson: '{}' };
  const { connection } = await harness.connections.createConnection(request, callAs(asUser(owner)));
  return connection!.id;
}

const asUser = (owner: Principal) => createMessage(PrincipalSchema, { ...owner, kind: PrincipalKind.OWNER });

/** A customer with a wallet, in a project with a connection. */
async function setUp(mode: OwnConnections, ownerFunds = 0n) {
  const owner = ownerPrincipal();
  if (ownerFunds > 0n) await fundOwner(harness.billing, owner, ownerFunds);
  const customer = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await fundWallet(harness.billing, owner, customer.id, WALLET);
  await connect(owner, mode);
  return { owner, customer };
}

async function balances(owner: Principal, customerId: string) {
  const account = await harness.billing.getAccountBalance({}, callAs(owner));
  const wallet = await harness.billing.getCustomerBalance({ customerId }, callAs(owner));
  return {
    owner: account.balanceMicrocents,
    ownerHeld: account.reservedMicrocents,
    wallet: wallet.balanceMicrocents,
  };
}

const settle = (principal: Principal, holdId: string, usage: object) =>
  harness.billing.settle(
    { holdId, usage: { inputTokens: 10n, outputTokens: 20n, ...usage }, facts: { modelId: ECHO, success: true } },
    callAs(principal),
  );

async function expectConsistent(owner: Principal) {
  const verdict = await harness.billing.verifyLedger({}, callAs(owner));
  expect(verdict.differences).toEqual([]);
}

describe('a model that only the connection of the project serves', () => {
  it('holds and charges the customer at the price of the tier, and nothing of the owner', async () => {
    const { owner, customer } = await setUp(ONLY);
    const { holdId, decision } = await admit(harness.billing, customer.principal, OWN);
    expect(decision).toMatchObject({ case: 'admitted', value: { ownConnections: ONLY, heldMicrocents: HELD } });
    expect(await balances(owner, customer.id)).toMatchObject({ owner: 0n, ownerHeld: 0n });
    const charge = await settle(customer.principal, holdId, { providerMicrocents: 0n, ownProviderMicrocents: COST });
    expect(charge).toMatchObject({ customerMicrocents: COST, ownerMicrocents: 0n, overrunMicrocents: 0n });
    expect(await balances(owner, customer.id)).toEqual({ owner: 0n, ownerHeld: 0n, wallet: WALLET - COST });
    await expectConsistent(owner);
    const [event] = await harness.events(eventTypes.usageRecorded, owner.projectId);
    expect(event).toMatchObject({ customerMicrocents: COST, providerMicrocents: 0n, unreconciledMicrocents: 0n });
    expect(event?.usage?.ownProviderMicrocents).toBe(COST);
  });

  it('extends the hold of a further model call without the funds of the owner', async () => {
    const { owner, customer } = await setUp(ONLY);
    const { holdId } = await admit(harness.billing, customer.principal, OWN);
    const more = { holdId, extension: 1, inputTokensEstimate: 10n, maxOutputTokens: 90 };
    const { decision } = await harness.holds.extendHold(more, callAs(customer.principal));
    expect(decision).toMatchObject({ case: 'admitted', value: { heldMicrocents: 2n * HELD } });
    expect(await balances(owner, customer.id)).toMatchObject({ ownerHeld: 0n });
  });

  it('records no provider cost in doubt', async () => {
    const { owner, customer } = await setUp(ONLY);
    const { holdId } = await admit(harness.billing, customer.principal, OWN);
    await harness.billing.settle(
      { holdId, usage: {}, isInDoubt: true, unansweredCalls: 2, facts: { modelId: ECHO } },
      callAs(customer.principal),
    );
    const [event] = await harness.events(eventTypes.usageRecorded, owner.projectId);
    expect(event).toMatchObject({ unreconciledMicrocents: 0n });
    await expectConsistent(owner);
  });

  it('charges the owner as ever for a caller that asks the routes of the installation', async () => {
    const { owner, customer } = await setUp(ONLY, WALLET);
    const { decision } = await admit(harness.billing, customer.principal);
    expect(decision).toMatchObject({ case: 'admitted', value: { ownConnections: UNSPECIFIED } });
    expect(await balances(owner, customer.id)).toMatchObject({ ownerHeld: HELD });
  });

  it('refuses a customer without funds', async () => {
    const { owner } = await setUp(ONLY);
    const poor = await customerOn(harness.billing, owner, { tierCode: 'paygo', billingMode: 'paygo' });
    const { decision } = await admit(harness.billing, poor.principal, OWN);
    expect(decision).toMatchObject({ case: 'refused', value: { code: 'WALLET_EMPTY' } });
  });
});

describe('a model that the connection of the project serves first', () => {
  it('holds for the route of the installation, and charges the owner only for what it served', async () => {
    const { owner, customer } = await setUp(PREFER, WALLET);
    const own = await admit(harness.billing, customer.principal, OWN);
    expect(own.decision).toMatchObject({ case: 'admitted', value: { ownConnections: PREFER } });
    expect(await balances(owner, customer.id)).toMatchObject({ ownerHeld: HELD });
    await settle(customer.principal, own.holdId, { providerMicrocents: 0n, ownProviderMicrocents: COST });
    expect(await balances(owner, customer.id)).toEqual({ owner: WALLET, ownerHeld: 0n, wallet: WALLET - COST });
    const other = await admit(harness.billing, customer.principal, OWN);
    await settle(customer.principal, other.holdId, { providerMicrocents: COST });
    expect(await balances(owner, customer.id)).toEqual({
      owner: WALLET - COST,
      ownerHeld: 0n,
      wallet: WALLET - 2n * COST,
    });
    await expectConsistent(owner);
  });

  it('admits for the connection of the project only, and announces nothing, if the owner has no funds', async () => {
    const { owner, customer } = await setUp(PREFER);
    const { decision } = await admit(harness.billing, customer.principal, OWN);
    expect(decision).toMatchObject({ case: 'admitted', value: { ownConnections: ONLY } });
    expect(await harness.events(eventTypes.admissionBlocked, owner.projectId)).toEqual([]);
  });

  it('does not charge the owner for progress when the hold expires', async () => {
    const { owner, customer } = await setUp(PREFER, WALLET);
    const { holdId } = await admit(harness.billing, customer.principal, OWN);
    const usage = { inputTokens: 10n, outputTokens: 20n };
    await harness.billing.recordProgress({ holdId, usage }, callAs(customer.principal));
    const expire = "UPDATE holds SET expires_at = now() - interval '1 second' WHERE request_id = $1";
    await harness.database.pool.query(expire, [holdId]);
    const [event] = await waitUntil(
      async () => {
        const events = await harness.events(eventTypes.usageRecorded, owner.projectId);
        return events.length > 0 && events;
      },
      { what: 'the verdict' },
    );
    expect(event).toMatchObject({ customerMicrocents: COST, providerMicrocents: 0n, unreconciledMicrocents: HELD });
    await expectConsistent(owner);
  });
});

it('applies a new connection to the next request', async () => {
  const owner = ownerPrincipal();
  const before = await admit(harness.billing, owner, OWN);
  expect(before.decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
  const id = await connect(owner, ONLY);
  const during = await admit(harness.billing, owner, OWN);
  expect(during.decision).toMatchObject({ case: 'admitted', value: { ownConnections: ONLY, heldMicrocents: 0n } });
  await harness.connections.deleteConnection({ id }, callAs(asUser(owner)));
  const after = await admit(harness.billing, owner, OWN);
  expect(after.decision).toMatchObject({ case: 'refused', value: { code: 'PROVIDER_ACCOUNT_UNFUNDED' } });
});
