import type { Action, Answer, PayerId, Used } from './actions.js';
import { affordableOutput, computeCost, limitCode, type Price } from './reference-prices.js';
import {
  CENT,
  DAY_MS,
  least,
  NO_USAGE,
  type Part,
  type ReferenceAccount,
  type ReferenceEntry,
  type ReferenceHold,
  type ReferenceUsage,
  ROLES,
  type Role,
  type Subscription,
  type Tier,
} from './reference-types.js';
import { calendarMonth, windowStartAt } from './reference-windows.js';

/** Accounts, journal and limits of the reference ledger. */
export class ReferenceLimits {
  readonly accounts = new Map<string, ReferenceAccount>();
  readonly journal: ReferenceEntry[] = [];
  /** By customer or owner, and window. */
  readonly usage = new Map<string, ReferenceUsage>();
  protected readonly tiers = new Map<string, Tier>();
  protected readonly subscriptions = new Map<string, Subscription>();
  protected readonly accountLimits = new Map<string, bigint>();
  protected readonly causes = new Set<string>();
  protected readonly owner: string;
  protected nowMs: number;

  constructor(owner: string, nowMs: number) {
    this.owner = owner;
    this.nowMs = nowMs;
  }

  /** Keeps the period on the same tier. Another tier starts a new one, and counts what was used in the period that it cuts short. */
  protected subscribe(customerId: string, tier: string, status: string): Answer[] {
    const before = this.subscriptions.get(customerId);
    const windowMs = before ? windowStartAt(before, this.nowMs) : this.nowMs;
    const period = before?.tier === tier ? before : { startMs: this.nowMs, windowMs };
    this.subscriptions.set(customerId, { tier, status, startMs: period.startMs, windowMs: period.windowMs });
    return [];
  }

  protected grant(action: Extract<Action, { kind: 'grant' }>): Answer {
    const account = action.customerId ? `wallet ${action.customerId}` : `owner ${this.owner}`;
    const source = { top_up: 'processor_clearing', promo: 'promo', adjustment: 'adjustment' }[action.reason] as string;
    this.account(account);
    const isNew = !this.causes.has(`${action.reason} ${action.cause}`);
    this.causes.add(`${action.reason} ${action.cause}`);
    if (isNew) this.post(action.reason, action.cause, source, account, action.amount);
    const { credits, debits } = this.account(account);
    return { balance: credits - debits, applied: isNew };
  }

  protected findTier(payer: PayerId): Tier | undefined {
    const subscription = payer.customerId ? this.subscriptions.get(payer.customerId) : undefined;
    return subscription && this.tiers.get(subscription.tier);
  }

  /** Decides over all limits, all or nothing. Cuts the output to the funds if the request allows it. */
  protected decide(
    limits: Map<Role, string>,
    customerPrice: Price | undefined,
    providerPrice: Price,
    call: Used,
    wanted: bigint,
    leastOutput: bigint,
    units: bigint,
  ): { refused: string; left: bigint } | { output: bigint; parts: Part[] } {
    const groups: { roles: Role[]; price: Price | undefined }[] = [
      { roles: ['allowance', 'wallet'], price: customerPrice },
      { roles: ['key'], price: providerPrice },
      { roles: ['owner'], price: providerPrice },
      { roles: ['daily_cap'], price: providerPrice },
    ];
    const paying = groups
      .map(({ roles, price }) => ({ roles: roles.filter((role) => limits.has(role)), price }))
      .filter((group): group is { roles: Role[]; price: Price } => group.roles.length > 0 && group.price !== undefined);
    let output = wanted;
    for (const { roles, price } of paying) {
      const left = this.sumLeft(roles, limits);
      const most = left === undefined ? wanted : affordableOutput(price, call, wanted, left > 0n ? left : 0n);
      if (most === undefined || most < leastOutput) return { refused: limitCode(roles[0] as Role), left: left ?? 0n };
      if (most < output) output = most;
    }
    const quota = limits.get('quota');
    if (quota && units > 0n && this.left(quota) < units) return { refused: 'ACCOUNT_QUOTA_EXCEEDED', left: 0n };
    const parts = paying.flatMap(({ roles, price }) =>
      this.divide(roles, limits, computeCost(price, { ...call, output })),
    );
    if (quota && units > 0n) parts.push({ role: 'quota', account: quota, amount: units, taken: 0n });
    return { output, parts };
  }

  /** Returns the free funds of limits, where one limit may be negative; undefined = no bound. */
  protected sumLeft(roles: Role[], limits: Map<Role, string>): bigint | undefined {
    const accounts = roles.map((role) => limits.get(role) as string);
    if (accounts.some((name) => !this.account(name).isEnforced)) return undefined;
    if (accounts.length === 1) return this.left(accounts[0] as string);
    return accounts.reduce((sum, name) => sum + (this.left(name) > 0n ? this.left(name) : 0n), 0n);
  }

  protected left(account: string): bigint {
    const { credits, debits, held } = this.account(account);
    return credits - debits - held;
  }

  /** Splits an amount; earlier limits are used up first. */
  protected divide(roles: Role[], limits: Map<Role, string>, amount: bigint): Part[] {
    const parts: Part[] = [];
    let rest = amount;
    for (const role of roles) {
      const account = limits.get(role) as string;
      const left = this.account(account).isEnforced ? this.left(account) : rest;
      const part = least(left, rest);
      if (part <= 0n) continue;
      parts.push({ role, account, amount: part, taken: 0n });
      rest -= part;
    }
    return parts;
  }

  protected openLimits(payer: PayerId): Map<Role, string> {
    const limits = new Map<Role, string>();
    const { customerId } = payer;
    const tier = this.findTier(payer);
    const subscription = customerId ? this.subscriptions.get(customerId) : undefined;
    if (tier && subscription && !payer.byob) {
      if (tier.mode === 'paygo' || tier.hasOverage) limits.set('wallet', `wallet ${customerId}`);
      const startMs = windowStartAt(subscription, this.nowMs);
      const worth = tier.limitCents === undefined ? undefined : tier.limitCents * CENT;
      if (tier.mode === 'subscription') limits.set('allowance', this.open(`allowance ${customerId} ${startMs}`, worth));
    }
    if (payer.keyId && payer.keyLimit !== undefined) limits.set('key', this.open(`key ${payer.keyId}`, payer.keyLimit));
    limits.set('owner', `owner ${this.owner}`);
    const cap = this.accountLimits.get('daily_cap');
    const day = Math.floor(this.nowMs / DAY_MS) * DAY_MS;
    const hasPaid = this.journal.some((e) => e.kind === 'top_up' && e.credit === `owner ${this.owner}`);
    if (cap !== undefined && !hasPaid) limits.set('daily_cap', this.open(`daily_cap ${this.owner} ${day}`, cap * CENT));
    const quota = this.accountLimits.get('quota');
    const month = calendarMonth(this.nowMs).startMs;
    if (quota !== undefined) limits.set('quota', this.open(`quota ${this.owner} ${month}`, quota, 'quota_grant'));
    return new Map(ROLES.flatMap((role) => (limits.has(role) ? [[role, limits.get(role) as string]] : [])));
  }

  /** Opens an account with `limit` credited in total; undefined = usage is counted and not limited. */
  protected open(name: string, limit: bigint | undefined, source = 'limit_grant'): string {
    const account = this.account(name);
    account.isEnforced = limit !== undefined;
    if (limit !== undefined) {
      const change = limit - (account.limit ?? 0n);
      this.post('limit_raised', '', source, name, change);
      this.post('limit_lowered', '', name, source, -change);
      account.limit = limit;
    }
    return name;
  }

  protected account(name: string): ReferenceAccount {
    const known = this.accounts.get(name);
    if (known) return known;
    const account: ReferenceAccount = { isEnforced: true, limit: undefined, credits: 0n, debits: 0n, held: 0n };
    this.accounts.set(name, account);
    return account;
  }

  protected post(kind: string, cause: string, debit: string, credit: string, amount: bigint): void {
    if (amount <= 0n) return;
    this.journal.push({ kind, cause, debit, credit, amount });
    this.account(debit).debits += amount;
    this.account(credit).credits += amount;
  }

  protected count(hold: ReferenceHold, f: ReferenceUsage, sign: bigint): void {
    const key = `${hold.customer ?? 'owner'} ${hold.windowMs}`;
    const sums = this.usage.get(key) ?? { ...NO_USAGE };
    for (const name of Object.keys(NO_USAGE) as (keyof ReferenceUsage)[]) sums[name] += sign * f[name];
    this.usage.set(key, sums);
  }
}
