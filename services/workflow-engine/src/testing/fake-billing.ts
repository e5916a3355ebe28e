import {
  type AdmitRequest,
  BillingService,
  SettleOutcome,
  type SettleRequest,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HoldService } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { Usage } from '@tollgate/contracts/common/v1/usage_pb.js';
import { AppError } from '@tollgate/errors';
import { type Call, type Handlers, type Registration, register } from '@tollgate/rpc';

export const INPUT_PRICE = 150n;
export const OUTPUT_PRICE = 600n;

type Verdict = { code: string; message: string } | AppError | undefined;

/** A fake ledger that holds, settles and releases by hold id and records its calls. */
export class FakeBilling {
  readonly admitted: { req: AdmitRequest; projectId: string; customerId: string }[] = [];
  /** The last settlement, by hold id. */
  readonly settled = new Map<string, SettleRequest>();
  /** Ids of open holds. */
  readonly open = new Set<string>();
  readonly superseded = new Set<string>();
  /** Ids of holds under which nothing was dispatched. */
  readonly released = new Set<string>();
  /** Ids of holds that callers have released, in order. */
  readonly releases: string[] = [];
  /** Ids of open holds whose progress was reported, in order. */
  readonly kept: string[] = [];
  /** Whether it answers `ReadHoldOutcomes`, and how often it was called. */
  knowsOutcomes = true;
  outcomesAsked = 0;
  /** Decides an admission; undefined admits it. */
  decide: (req: AdmitRequest) => Verdict | Promise<Verdict> = () => undefined;

  /** Outcomes of settled holds, for callers that were cut off. */
  holds(): Registration {
    return register(HoldService, {
      extendHold: () => {
        throw new Error('the engine must not extend holds');
      },
      readHold: () => {
        throw new Error('the engine must not read holds');
      },
      readHoldOutcomes: async ({ holdIds }) => ({
        outcomes: holdIds.flatMap((holdId) => {
          this.outcomesAsked += 1;
          const usage = this.knowsOutcomes ? this.settled.get(holdId)?.usage : undefined;
          if (!usage) return [];
          const microcents = computeCost(usage);
          const { inputTokens, outputTokens } = usage;
          return [{ holdId, inputTokens, outputTokens, customerMicrocents: microcents, ownerMicrocents: microcents }];
        }),
      }),
      supersedeHolds: async ({ holdIds }) => {
        for (const holdId of holdIds) this.superseded.add(holdId);
        return {};
      },
    });
  }

  registration(): Registration {
    const handlers: Partial<Handlers<typeof BillingService>> = {
      admit: async (req, call) => this.#admit(req, call),
      settle: async (req) => this.#settle(req),
      release: async ({ holdIds }) => {
        this.releases.push(...holdIds);
        for (const holdId of holdIds) this.expire(holdId);
        return {};
      },
      recordProgress: async ({ holdId }) => {
        const open = this.open.has(holdId);
        if (open) this.kept.push(holdId);
        return { open };
      },
    };
    return register(BillingService, withRefusals(handlers));
  }

  /** Returns what customers pay in total: every settled hold that was not superseded. */
  customerMicrocents(): bigint {
    let total = 0n;
    for (const [holdId, { usage }] of this.settled) {
      if (this.superseded.has(holdId) || !usage) continue;
      total += computeCost(usage);
    }
    return total;
  }

  async #admit(req: AdmitRequest, call: Call) {
    const principal = call.requirePrincipal();
    this.admitted.push({ req, projectId: principal.projectId, customerId: principal.customerId });
    const verdict = await this.decide(req);
    if (verdict instanceof AppError) throw verdict;
    if (verdict) return { decision: { case: 'refused' as const, value: verdict } };
    if (req.supersedesHoldId) this.superseded.add(req.supersedesHoldId);
    const hasEnded = this.settled.has(req.holdId) || this.released.has(req.holdId);
    if (!hasEnded) this.open.add(req.holdId);
    const price = { inputPerMillionCents: INPUT_PRICE, outputPerMillionCents: OUTPUT_PRICE };
    const value = {
      modelId: req.model || 'tier-default',
      maxOutputTokens: req.maxOutputTokens ?? 1000,
      customerPrice: price,
      providerPrice: price,
      heldMicrocents: 1_000_000n,
      holdTtlMs: 60_000,
      hasEnded,
    };
    return { decision: { case: 'admitted' as const, value } };
  }

  /** Ends a hold without a charge, as its release or its expiry does. */
  expire(holdId: string): void {
    this.open.delete(holdId);
    this.released.add(holdId);
  }

  #settle(req: SettleRequest) {
    const { holdId, usage } = req;
    const wasOpen = this.open.delete(holdId);
    if (!wasOpen) return { outcome: SettleOutcome.DUPLICATE };
    this.settled.set(holdId, req);
    const ownerMicrocents = usage ? computeCost(usage) : 0n;
    const customerMicrocents = this.superseded.has(holdId) ? 0n : ownerMicrocents;
    return { outcome: SettleOutcome.POSTED, customerMicrocents, ownerMicrocents };
  }
}

function computeCost({ inputTokens, outputTokens }: Usage): bigint {
  return inputTokens * INPUT_PRICE + outputTokens * OUTPUT_PRICE;
}

/** A registration needs every handler. Those that the engine never calls throw. */
export function withRefusals(handlers: Partial<Handlers<typeof BillingService>>): Handlers<typeof BillingService> {
  const refusing = BillingService.methods.map((method) => [method.localName, () => refuse(method.name)]);
  return { ...Object.fromEntries(refusing), ...handlers } as Handlers<typeof BillingService>;
}

function refuse(name: string): never {
  throw new Error(`the engine must not call ${name}`);
}
