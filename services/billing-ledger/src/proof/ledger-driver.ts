import { randomUUID } from 'node:crypto';
import { AccountLimitKind, AccountLimitService } from '@tollgate/contracts/billing/v1/account_limits_pb.js';
import { BillingService, MeteredKind, SettleOutcome } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { AppError } from '@tollgate/errors';
import { type LocalNetwork, startCall } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import type pg from 'pg';
import { HOLD_STATES } from '../domain/hold.js';
import { ownerPrincipal } from '../testing/ledger-harness.js';
import type { Action, Answer, Ask, PayerId } from './actions.js';
import { CATALOG, priceInTier } from './reference-prices.js';

const NO_PAYER: PayerId = { customerId: undefined, keyId: undefined, keyLimit: undefined, byob: false };

/** A request that is always refused. */
const NO_REQUEST: Ask = {
  holdId: randomUUID(),
  model: 'image',
  input: 0n,
  maxOutput: undefined,
  images: 0,
  isLoose: false,
};
/** How long the sweeper may take on a busy machine. */
const VERDICT_MS = 10_000;

/** Performs commands of one owner on the real ledger. */
export class LedgerDriver {
  readonly owner: Principal;
  readonly #pool: pg.Pool;
  /** External id by customer id. */
  readonly #externalIds = new Map<string, string>();
  readonly #payers = new Map<string, PayerId>();

  constructor(pool: pg.Pool, owner = ownerPrincipal()) {
    this.#pool = pool;
    this.owner = owner;
  }

  /** Returns a driver of the same owner and customers on another database. */
  on(pool: pg.Pool): LedgerDriver {
    const driver = new LedgerDriver(pool, this.owner);
    for (const [id, externalId] of this.#externalIds) driver.#externalIds.set(id, externalId);
    return driver;
  }

  /** Performs an action on one replica. The ledger chooses customer ids, so customers are created beforehand. */
  async perform(action: Action, at: LocalNetwork): Promise<Answer[]> {
    const billing = at.client(BillingService);
    const call = startCall({ principal: this.owner, timeoutMs: 60_000 });
    switch (action.kind) {
      case 'tier':
        await billing.createTier(toTierInput(action), call);
        return [];
      case 'tier_limit':
        await this.#limitTier(action.code, action.limitCents, at);
        return [];
      case 'customer':
        await billing.prepareCustomerToken(
          { by: { case: 'customerId', value: action.customerId }, tierCode: action.tierCode },
          call,
        );
        return [];
      case 'subscribe': {
        const { customerId, tierCode, status: subscriptionStatus } = action;
        await billing.setSubscription({ customerId, tierCode, subscriptionStatus }, call);
        return [];
      }
      case 'account_limit': {
        const kind = AccountLimitKind[action.limit === 'quota' ? 'QUOTA' : 'FREE_CREDIT_DAILY_CAP'];
        const value = action.amount === undefined ? {} : { value: { case: 'amount' as const, value: action.amount } };
        await at.client(AccountLimitService).setAccountLimit({ kind, ...value }, call);
        return [];
      }
      case 'grant':
        return [await this.#grant(action, at)];
      case 'admit':
        // Loads the payer's subject first. Otherwise the first request would wait for it and be queued behind the others.
        if (action.asks.length > 1) await this.#admit(action.payer, NO_REQUEST, {}, at);
        return Promise.all(action.asks.map((ask) => this.#admit(action.payer, ask, action, at)));
      case 'extend':
        return [await this.#extend(action, at)];
      case 'progress':
        return [{ isOpen: (await billing.recordProgress(toReport(action), this.#startCall(action.holdId))).open }];
      case 'settle': {
        const { holdId, isInDoubt } = action;
        const result = await billing.settle({ ...toReport(action), isInDoubt }, this.#startCall(holdId));
        return [
          {
            outcome: SettleOutcome[result.outcome] as string,
            customer: result.customerMicrocents,
            owner: result.ownerMicrocents,
            overrun: result.overrunMicrocents,
          },
        ];
      }
      case 'expire':
        await this.#expire(action.holdId);
        return [];
      case 'advance':
        return [];
    }
  }

  async newCustomer(at: LocalNetwork): Promise<string> {
    const externalId = randomUUID();
    const call = startCall({ principal: this.owner, timeoutMs: 60_000 });
    const created = await at.client(BillingService).createCustomer({ externalId, email: 'a@example.com' }, call);
    const id = created.envelope?.customer?.id ?? '';
    this.#externalIds.set(id, externalId);
    return id;
  }

  async #limitTier(code: string, limitCents: bigint | undefined, at: LocalNetwork): Promise<void> {
    const billing = at.client(BillingService);
    const call = startCall({ principal: this.owner, timeoutMs: 60_000 });
    const { tier } = await billing.getTier({ by: { case: 'tierCode', value: code } }, call);
    const values = limitCents === undefined ? {} : { spendLimitCents: limitCents };
    await billing.updateTier({ id: tier?.id ?? '', values, updateMask: ['spend_limit_cents'] }, call);
  }

  async #grant(action: Extract<Action, { kind: 'grant' }>, at: LocalNetwork): Promise<Answer> {
    const { customerId, amount, reason, cause } = action;
    const target = customerId
      ? { case: 'customerId' as const, value: customerId }
      : { case: 'account' as const, value: true };
    const result = await at
      .client(BillingService)
      .grantCredit({ target, amountMicrocents: amount, reason, cause }, startCall({ principal: this.owner }));
    return { balance: result.balanceMicrocents, applied: result.applied };
  }

  async #admit(
    payer: PayerId,
    ask: Ask,
    { supersedes, partOf }: { supersedes?: string | undefined; partOf?: string | undefined },
    at: LocalNetwork,
  ): Promise<Answer> {
    this.#payers.set(ask.holdId, payer);
    const { decision } = await at.client(BillingService).admit(
      {
        holdId: ask.holdId,
        kind: ask.model === 'image' ? MeteredKind.IMAGES : MeteredKind.TEXT,
        model: CATALOG[ask.model].id,
        inputTokensEstimate: ask.input,
        images: ask.images,
        estimateIsLoose: ask.isLoose,
        ...(ask.maxOutput !== undefined && { maxOutputTokens: ask.maxOutput }),
        ...(supersedes !== undefined && { supersedesHoldId: supersedes }),
        ...(partOf !== undefined && { partOfHoldId: partOf }),
      },
      this.#startCall(ask.holdId),
    );
    if (decision.case === 'refused') {
      return { refused: decision.value.code, mayFitCounted: decision.value.mayFitCounted };
    }
    return { maxOutput: decision.value?.maxOutputTokens ?? -1, held: decision.value?.heldMicrocents ?? -1n };
  }

  async #extend(action: Extract<Action, { kind: 'extend' }>, at: LocalNetwork): Promise<Answer> {
    const { holdId, extension, input, maxOutput } = action;
    const req = {
      holdId,
      extension,
      inputTokensEstimate: input,
      ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    };
    try {
      const { decision } = await at.client(HoldService).extendHold(req, this.#startCall(holdId));
      if (decision.case === 'refused') return { refused: decision.value.code };
      return { maxOutput: decision.value?.maxOutputTokens ?? -1, held: decision.value?.heldMicrocents ?? -1n };
    } catch (error) {
      return { failed: (error as AppError).code };
    }
  }

  /** Moves the hold's expiry into the past and waits for a sweeper's verdict. */
  async #expire(holdId: string): Promise<void> {
    const sql = `UPDATE holds SET expires_at = now() - interval '1 second' WHERE request_id = $1 AND state = ${HOLD_STATES.open}`;
    const { rowCount } = await this.#pool.query(sql, [holdId]);
    if (rowCount === 0) return;
    // Progress in between postpones the expiry.
    const open = `SELECT 1 FROM holds WHERE request_id = $1 AND state = ${HOLD_STATES.open} AND expires_at < now()`;
    const deadline = elapsed() + VERDICT_MS;
    while ((await this.#pool.query(open, [holdId])).rowCount !== 0) {
      if (elapsed() > deadline) throw new Error(`hold ${holdId} got no verdict`);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  }

  /** Uses the hold's id as request id, so that the events of a request can be found. */
  #startCall(holdId: string) {
    return startCall({
      requestId: holdId,
      principal: this.#principal(this.#payers.get(holdId) ?? NO_PAYER),
      timeoutMs: 60_000,
    });
  }

  #principal({ customerId, keyId, keyLimit, byob }: PayerId): Principal {
    const { accountId, projectId } = this.owner;
    return ownerPrincipal({
      accountId,
      projectId,
      byob,
      keyId: keyId ?? '',
      ...(customerId !== undefined && {
        kind: PrincipalKind.CUSTOMER,
        customerId,
        customerExternalId: this.#externalIds.get(customerId) ?? '',
      }),
      ...(keyLimit !== undefined && { keySpendLimitMicrocents: keyLimit }),
    });
  }
}

function toTierInput({ code, mode, limitCents, hasOverage }: Extract<Action, { kind: 'tier' }>) {
  const text = priceInTier('text');
  return {
    tierCode: code,
    displayName: code,
    billingMode: mode,
    overageEnabled: hasOverage,
    ...(limitCents !== undefined && { spendLimitCents: limitCents }),
    models: [
      { modelId: CATALOG.text.id, inputPricePerMillionCents: text.input, outputPricePerMillionCents: text.output },
      { modelId: CATALOG.image.id, pricePerImageCents: priceInTier('image').image },
    ],
  };
}

function toReport({ holdId, used }: { holdId: string; used: { input: bigint; output: bigint; images: bigint } }) {
  const usage = { inputTokens: used.input, outputTokens: used.output, images: Number(used.images) };
  return { holdId, usage };
}
