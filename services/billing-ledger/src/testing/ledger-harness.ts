import { randomUUID } from 'node:crypto';
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { AccountLimitService } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { ConnectionService } from '@tollgate/contracts/billing/v1/connections_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { decodeEvent, type EventDefinition } from '@tollgate/events';
import type { MetricsRegistry } from '@tollgate/metrics';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { type Clock, type Logger, silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { configFromEnv } from '../config.js';
import { startBilling } from '../server.js';

export type BillingClient = Client<typeof BillingService>;
export type HoldClient = Client<typeof HoldService>;

/** A running billing service on its own schema, called through its RPC interface. */
export interface LedgerHarness {
  database: TestDatabase;
  billing: BillingClient;
  holds: HoldClient;
  accountLimits: Client<typeof AccountLimitService>;
  connections: Client<typeof ConnectionService>;
  /** Returns a project's events of one type in order, from the outbox and from the embedded transport's log. */
  events<Desc extends DescMessage>(definition: EventDefinition<Desc>, projectId: string): Promise<MessageShape<Desc>[]>;
  /** Likewise the events of an account. */
  eventsOfAccount<Desc extends DescMessage>(
    definition: EventDefinition<Desc>,
    accountId: string,
  ): Promise<MessageShape<Desc>[]>;
  /** Starts another replica on the same schema. */
  replica(env?: NodeJS.ProcessEnv): Promise<BillingClient>;
  /** Starts another replica on the same schema and returns all its services. */
  replicaNetwork(env?: NodeJS.ProcessEnv): Promise<LocalNetwork>;
  stop(): Promise<void>;
}

export async function startLedgerHarness(
  name: string,
  options: { env?: NodeJS.ProcessEnv; clock?: Clock; metrics?: MetricsRegistry; logger?: Logger } = {},
): Promise<LedgerHarness> {
  const database = await testDatabase(name);
  const running: RunningService[] = [];
  const start = async (env: NodeJS.ProcessEnv = {}): Promise<LocalNetwork> => {
    const network = new LocalNetwork();
    const config = configFromEnv({
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      SANDBOX_PROVIDER: '1',
      HOLD_SWEEP_INTERVAL: '50ms',
      ...options.env,
      ...env,
    });
    running.push(
      await startBilling(config, {
        network,
        logger: options.logger ?? silentLogger,
        clock: options.clock,
        metrics: options.metrics,
      }),
    );
    return network;
  };
  const first = await start();
  return {
    database,
    billing: first.client(BillingService),
    holds: first.client(HoldService),
    accountLimits: first.client(AccountLimitService),
    connections: first.client(ConnectionService),
    events: async (definition, projectId) => {
      const messages = await readEvents(database, definition);
      return messages.filter((message) => (message as { projectId?: string }).projectId === projectId);
    },
    eventsOfAccount: async (definition, accountId) => {
      const messages = await readEvents(database, definition);
      return messages.filter((message) => (message as { accountId?: string }).accountId === accountId);
    },
    replica: async (env) => (await start(env)).client(BillingService),
    replicaNetwork: start,
    stop: async () => {
      for (const service of running) await service.stop();
      await database.drop();
    },
  };
}

async function readEvents<Desc extends DescMessage>(
  { pool }: TestDatabase,
  definition: EventDefinition<Desc>,
): Promise<MessageShape<Desc>[]> {
  const { rows } = await pool.query<{ type: string; payload: Uint8Array }>(
    `SELECT type, payload, occurred_at FROM outbox WHERE type = $1
     UNION ALL SELECT type, payload, occurred_at FROM tollgate_events.log WHERE type = $1 ORDER BY occurred_at`,
    [definition.type],
  );
  return rows.map((row) => decodeEvent(definition, row));
}

/** Returns a principal of an owner with a project and one secret key. */
export function ownerPrincipal(values: MessageInitShape<typeof PrincipalSchema> = {}): Principal {
  return createMessage(PrincipalSchema, {
    kind: PrincipalKind.SECRET_KEY,
    accountId: randomUUID(),
    projectId: randomUUID(),
    keyId: randomUUID(),
    ...values,
  });
}

export function callAs(principal: Principal): Call {
  return startCall({ principal, timeoutMs: 30_000 });
}

/** The sandbox's text model. */
export const ECHO = 'sandbox/echo-1';

/** Credits the owner's balance. With `promo`, the account counts as not paying. */
export async function fundOwner(
  billing: BillingClient,
  owner: Principal,
  microcents: bigint,
  reason: 'top_up' | 'promo' = 'top_up',
): Promise<void> {
  const req = {
    target: { case: 'account' as const, value: true },
    amountMicrocents: microcents,
    reason,
    cause: randomUUID(),
  };
  await billing.grantCredit(req, callAs(owner));
}

export interface CustomerOnTier {
  id: string;
  principal: Principal;
}

/** Creates a customer on a tier with the sandbox model at 100/300 cents per million; creates the tier if needed. */
export async function customerOn(
  billing: BillingClient,
  owner: Principal,
  tier: { tierCode: string; billingMode?: string; spendLimitCents?: bigint; overageEnabled?: boolean },
): Promise<CustomerOnTier> {
  const model = { modelId: ECHO, isDefault: true, inputPricePerMillionCents: 100n, outputPricePerMillionCents: 300n };
  const existing = await billing.listTiers({}, callAs(owner));
  if (!existing.tiers.some((t) => t.tierCode === tier.tierCode)) {
    await billing.createTier({ displayName: tier.tierCode, models: [model], ...tier }, callAs(owner));
  }
  const externalId = randomUUID();
  const created = await billing.createCustomer({ externalId, email: 'someone@example.com' }, callAs(owner));
  const id = created.envelope?.customer?.id ?? '';
  await billing.prepareCustomerToken({ by: { case: 'customerId', value: id }, tierCode: tier.tierCode }, callAs(owner));
  const principal = ownerPrincipal({
    kind: PrincipalKind.CUSTOMER,
    accountId: owner.accountId,
    projectId: owner.projectId,
    keyId: '',
    customerId: id,
    customerExternalId: externalId,
    tierCode: tier.tierCode,
  });
  return { id, principal };
}

/** 10 tokens in at 100 and at most 90 out at 300: 28,000 microcents for the customer and, at catalog price, the owner. */
export const REQUEST = { model: ECHO, inputTokensEstimate: 10n, maxOutputTokens: 90 };
export const HELD = 10n * 100n + 90n * 300n;

export async function admit(client: BillingClient, principal: Principal, values: object = {}) {
  const holdId = randomUUID();
  const { decision } = await client.admit({ ...REQUEST, holdId, ...values }, callAs(principal));
  return { holdId, decision };
}

export async function settle(
  client: BillingClient,
  principal: Principal,
  holdId: string,
  inputTokens: bigint,
  outputTokens: bigint,
) {
  return client.settle({ holdId, usage: { inputTokens, outputTokens } }, callAs(principal));
}

export async function fundWallet(
  billing: BillingClient,
  owner: Principal,
  customerId: string,
  microcents: bigint,
): Promise<void> {
  const req = {
    target: { case: 'customerId' as const, value: customerId },
    amountMicrocents: microcents,
    reason: 'top_up',
    cause: randomUUID(),
  };
  await billing.grantCredit(req, callAs(owner));
}
