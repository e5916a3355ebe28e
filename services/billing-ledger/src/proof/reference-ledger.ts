import type { Action, Answer, Ask, PayerId, Used } from './actions.js';
import { ReferenceLimits } from './reference-limits.js';
import { CATALOG, computeCost, type Price, priceInTier } from './reference-prices.js';
import {
  CHARGES,
  CUSTOMERS,
  figures,
  isNothing,
  least,
  money,
  NOTHING,
  type Part,
  type ReferenceHold,
  type Role,
  type Tier,
  taken,
  toUsage,
} from './reference-types.js';
import { calendarMonth, windowStartAt } from './reference-windows.js';

// An independent implementation of the ledger's rules: one thread, plain sums, no code shared with the service. It is
// written from the specification and the service's README, and is deliberately simple and slow.

export class ReferenceLedger extends ReferenceLimits {
  readonly holds = new Map<string, ReferenceHold>();

  replay(action: Action): Answer[] {
    switch (action.kind) {
      case 'tier':
        this.tiers.set(action.code, { ...action });
        return [];
      case 'tier_limit':
        (this.tiers.get(action.code) as Tier).limitCents = action.limitCents;
        return [];
      case 'customer':
        return this.subscribe(action.customerId, action.tierCode, 'active');
      case 'subscribe':
        return this.subscribe(action.customerId, action.tierCode, action.status);
      case 'account_limit':
        if (action.amount === undefined) this.accountLimits.delete(action.limit);
        else this.accountLimits.set(action.limit, action.amount);
        return [];
      case 'grant':
        return [this.grant(action)];
      case 'admit':
        if (action.supersedes) this.superseded(action.supersedes);
        return action.asks.map((ask) => this.admit(action.payer, ask));
      case 'extend':
        return [this.extend(action)];
      case 'progress':
        return [this.progress(action.holdId, action.used)];
      case 'settle':
        return [this.settle(action.holdId, action.used, action.isInDoubt)];
      case 'expire':
        this.expire(action.holdId);
        return [];
      case 'advance':
        this.nowMs += action.byMs;
        return [];
    }
  }
  // Admission

  protected admit(payer: PayerId, ask: Ask): Answer {
    const limits = this.openLimits(payer);
    const reason = this.refusalBeforeFunds(payer, ask);
    if (reason) return { refused: reason, mayFitCounted: false };
    const before = this.holds.get(ask.holdId);
    if (before) return { maxOutput: before.maxOutput, held: money(before.parts) };
    const catalog = CATALOG[ask.model];
    const tier = this.findTier(payer);
    const customerPrice = tier && !payer.byob ? priceInTier(ask.model) : undefined;
    const wanted = BigInt(ask.model === 'image' ? 0 : Math.min(ask.maxOutput ?? 8_192, catalog.maxOutput));
    const isExact = ask.maxOutput !== undefined || ask.isLoose;
    const leastOutput = isExact || wanted < 256n ? wanted : 256n;
    const call = { input: ask.input, output: 0n, images: BigInt(ask.images) };
    const decision = this.decide(limits, customerPrice, catalog.price, call, wanted, leastOutput, 1n);
    if ('refused' in decision) {
      const mayFitCounted = ask.isLoose && decision.refused !== 'ACCOUNT_QUOTA_EXCEEDED' && decision.left > 0n;
      return { refused: decision.refused, mayFitCounted };
    }
    const subscription = payer.customerId ? this.subscriptions.get(payer.customerId) : undefined;
    const window = subscription ? windowStartAt(subscription, this.nowMs) : calendarMonth(this.nowMs).startMs;
    for (const part of decision.parts) this.account(part.account).held += part.amount;
    this.holds.set(ask.holdId, {
      state: 'open',
      customer: payer.customerId,
      windowMs: window,
      customerPrice,
      providerPrice: catalog.price,
      limits,
      parts: decision.parts,
      most: { ...call, output: decision.output },
      extensions: new Map(),
      maxOutput: Number(decision.output),
      progress: NOTHING,
      used: NOTHING,
      customerPays: 0n,
      ownerPays: 0n,
      overrun: 0n,
      unreconciled: 0n,
    });
    return { maxOutput: Number(decision.output), held: money(decision.parts) };
  }

  /** Returns the refusal that does not depend on funds. */
  protected refusalBeforeFunds(payer: PayerId, ask: Ask): string | undefined {
    const subscription = payer.customerId ? this.subscriptions.get(payer.customerId) : undefined;
    if (payer.customerId && !payer.byob) {
      if (!subscription) return 'SUBSCRIPTION_INACTIVE';
      if (!['active', 'trialing', 'past_due'].includes(subscription.status)) return 'SUBSCRIPTION_INACTIVE';
    }
    return ask.model === 'image' && ask.images < 1 ? 'INVALID_INPUT' : undefined;
  }

  protected extend(action: Extract<Action, { kind: 'extend' }>): Answer {
    const hold = this.holds.get(action.holdId);
    if (hold?.state !== 'open') return { failed: 'NOT_FOUND' };
    const known = hold.extensions.get(action.extension);
    if (known) return known;
    const model = hold.providerPrice === CATALOG.text.price ? CATALOG.text : CATALOG.image;
    const wanted = BigInt(Math.min(action.maxOutput ?? 8_192, model.maxOutput));
    const leastOutput = action.maxOutput !== undefined || wanted < 256n ? wanted : 256n;
    const call = { input: action.input, output: 0n, images: 0n };
    const decision = this.decide(hold.limits, hold.customerPrice, hold.providerPrice, call, wanted, leastOutput, 0n);
    if ('refused' in decision) return { refused: decision.refused };
    for (const part of decision.parts) {
      this.account(part.account).held += part.amount;
      const same = hold.parts.find(({ account }) => account === part.account);
      if (same) same.amount += part.amount;
      else hold.parts.push(part);
    }
    hold.most.input += action.input;
    hold.most.output += decision.output;
    const answer: Answer = { maxOutput: Number(decision.output), held: money(hold.parts) };
    hold.extensions.set(action.extension, answer);
    return answer;
  }

  // Settlement

  protected progress(holdId: string, used: Used): Answer {
    const hold = this.holds.get(holdId);
    if (hold?.state !== 'open') return { isOpen: false };
    const max = (a: bigint, b: bigint) => (a > b ? a : b);
    const { input, output } = hold.progress;
    hold.progress = { input: max(input, used.input), output: max(output, used.output), images: 0n };
    return { isOpen: true };
  }

  protected settle(holdId: string, used: Used, isInDoubt: boolean): Answer {
    const hold = this.holds.get(holdId);
    if (!hold && (isInDoubt || !isNothing(used)))
      return { outcome: 'UNKNOWN_REQUEST', customer: 0n, owner: 0n, overrun: 0n };
    if (!hold) return figures('RELEASED', this.addTombstone(holdId));
    if (hold.state === 'expired' && !isInDoubt) {
      this.settleLate(holdId, hold, used);
      return figures('LATE', hold);
    }
    if (hold.state !== 'open') return figures('DUPLICATE', hold);
    this.end(holdId, hold, used, isInDoubt);
    hold.state = isNothing(used) ? 'released' : 'posted';
    return figures(isNothing(used) ? 'RELEASED' : 'POSTED', hold);
  }

  protected expire(holdId: string): void {
    const hold = this.holds.get(holdId);
    if (hold?.state !== 'open') return;
    this.end(holdId, hold, hold.progress, true);
    hold.state = 'expired';
  }

  /** Releases the whole hold and charges what was used. */
  protected end(holdId: string, hold: ReferenceHold, used: Used, isInDoubt: boolean): void {
    for (const part of hold.parts) this.account(part.account).held -= part.amount;
    hold.used = used;
    const excess = this.take(hold, used);
    for (const part of hold.parts)
      this.post(CHARGES[part.role].kind, holdId, part.account, CHARGES[part.role].to, part.taken);
    hold.customerPays = taken(hold, CUSTOMERS);
    hold.ownerPays = taken(hold, new Set(['owner']));
    hold.overrun = excess.owner;
    this.post('overrun_customer', holdId, 'overrun', 'customer_charges', excess.customer);
    this.post('overrun', holdId, 'overrun', 'provider_cost', excess.owner);
    const doubt = computeCost(hold.providerPrice, hold.most) - hold.ownerPays - hold.overrun;
    hold.unreconciled = isInDoubt && doubt > 0n ? doubt : 0n;
    this.post('unreconciled', holdId, 'unreconciled', 'provider_cost', hold.unreconciled);
    this.count(hold, toUsage(hold), 1n);
  }

  /** Sets the charge of each part and returns the usage that no part covers. */
  protected take(hold: ReferenceHold, used: Used): { customer: bigint; owner: bigint } {
    const drain = (roles: Role[], price: Price | undefined): bigint => {
      let rest = price ? computeCost(price, used) : 0n;
      for (const role of roles) {
        for (const part of hold.parts.filter((p) => p.role === role)) {
          part.taken = least(rest, part.amount);
          rest -= part.taken;
        }
      }
      return rest;
    };
    const customer = drain(['allowance', 'wallet'], hold.customerPrice);
    drain(['key'], hold.providerPrice);
    drain(['daily_cap'], hold.providerPrice);
    const owner = drain(['owner'], hold.providerPrice);
    for (const part of hold.parts) if (part.role === 'quota') part.taken = isNothing(used) ? 0n : part.amount;
    return { customer, owner };
  }

  /** Corrects the verdict: charges more as far as funds are left, and returns what was charged too much. */
  protected settleLate(holdId: string, hold: ReferenceHold, used: Used): void {
    const verdict = toUsage(hold);
    const before = hold.parts.map((part) => part.taken);
    const cost = computeCost(hold.providerPrice, used);
    const unpaidBefore = (hold.customerPrice ? computeCost(hold.customerPrice, hold.used) : 0n) - hold.customerPays;
    this.take(hold, used);
    hold.parts.forEach((part, i) => {
      const { to } = CHARGES[part.role];
      let more = part.taken - (before[i] as bigint);
      const { isEnforced } = this.account(part.account);
      const left = this.left(part.account);
      if (isEnforced && more > 0n && left < more) more = left > 0n ? left : 0n;
      part.taken = (before[i] as bigint) + more;
      this.post(`late_${part.role}`, holdId, part.account, to, more);
      this.post(`returned_${part.role}`, holdId, to, part.account, -more);
    });
    hold.state = 'late';
    hold.used = used;
    hold.customerPays = taken(hold, CUSTOMERS);
    hold.ownerPays = taken(hold, new Set(['owner']));
    hold.overrun = cost - hold.ownerPays;
    this.post('late_overrun', holdId, 'overrun', 'provider_cost', hold.overrun - verdict.overrun);
    this.post('returned_overrun', holdId, 'provider_cost', 'overrun', verdict.overrun - hold.overrun);
    const unpaid = (hold.customerPrice ? computeCost(hold.customerPrice, used) : 0n) - hold.customerPays - unpaidBefore;
    this.post('late_overrun_customer', holdId, 'overrun', 'customer_charges', unpaid);
    this.post('returned_overrun_customer', holdId, 'customer_charges', 'overrun', -unpaid);
    this.post('reconciled', holdId, 'provider_cost', 'unreconciled', verdict.unreconciled);
    hold.unreconciled = 0n;
    this.count(hold, verdict, -1n);
    this.count(hold, toUsage(hold), 1n);
  }

  /** Records a hold as released before its admission. */
  protected addTombstone(holdId: string): ReferenceHold {
    const nothing = { customerPays: 0n, ownerPays: 0n, overrun: 0n, unreconciled: 0n };
    const price = { input: 0n, output: 0n, image: 0n };
    const tombstone: ReferenceHold = {
      state: 'released',
      customer: undefined,
      windowMs: 0,
      customerPrice: undefined,
      providerPrice: price,
      limits: new Map(),
      parts: [],
      most: NOTHING,
      extensions: new Map(),
      maxOutput: 0,
      progress: NOTHING,
      used: NOTHING,
      ...nothing,
    };
    this.holds.set(holdId, tombstone);
    return tombstone;
  }

  /** Supersedes a hold, whether or not the new attempt is admitted. */
  protected superseded(holdId: string): void {
    const hold = this.holds.get(holdId) ?? this.addTombstone(holdId);
    const isCustomers = ({ role }: Part): boolean => CUSTOMERS.has(role);
    if (hold.state === 'open') {
      for (const part of hold.parts.filter(isCustomers)) this.account(part.account).held -= part.amount;
    } else if (hold.customerPays > 0n) {
      const before = toUsage(hold);
      for (const part of hold.parts.filter(isCustomers))
        this.post(`superseded_${part.role}`, holdId, 'customer_charges', part.account, part.taken);
      hold.customerPays = 0n;
      this.count(hold, before, -1n);
      this.count(hold, toUsage(hold), 1n);
    }
    if (hold.state !== 'open' && hold.state !== 'expired') return;
    hold.parts = hold.parts.filter((part) => !isCustomers(part));
    hold.customerPrice = undefined;
    for (const role of CUSTOMERS) hold.limits.delete(role);
  }
}
