import type { IncomingMessage } from 'node:http';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { atMost, type Clock } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import type { EdgeConfig } from '../config.js';
import { addressBlock } from '../domain/address-block.js';
import { gcra, type RateDecision, type RateLimit } from '../domain/gcra.js';
import type { TierLimits } from './tier-limits.js';

/** Body of a 429 in all shapes but the vendors'. */
export const RATE_LIMIT_TEXT = 'rate limit exceeded';

/** Stores one number per key and decides with GCRA. */
export interface RateStore {
  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision>;
}

interface Limits {
  config: Pick<EdgeConfig, 'limitsPerMinute'>;
  rateStore: RateStore;
  tierLimits: Pick<TierLimits, 'find'>;
}

export interface RateOutcome {
  ok: boolean;
  /** `RateLimit-*` headers, for every answer. The error adds `Retry-After`. */
  headers: Record<string, string>;
  retryAfterSeconds: number;
}

const MINUTE_MS = 60_000;

/** Counts one request of this principal: per key, per customer over all its tokens, or per owner. */
export async function checkRateLimit(principal: Principal, ctx: Limits): Promise<RateOutcome> {
  const { key, perMinute } = await chooseBucket(principal, ctx);
  return take(key, perMinute, ctx);
}

/** Counts one request without valid credentials against its address. */
export function checkAnonymousRateLimit(address: string, ctx: Omit<Limits, 'tierLimits'>): Promise<RateOutcome> {
  return take(`a:${addressBlock(address)}`, ctx.config.limitsPerMinute.anonymous, ctx);
}

type SignInEndpoint =
  | 'login'
  | 'register'
  | 'refresh'
  | 'oauth'
  | 'device'
  | 'owner-device-start'
  | 'owner-device'
  | 'portal'
  | 'invitation'
  | 'password-reset';

/**
 * Enforces the stricter limits of endpoints that check secrets: per network address, and per email address where one is
 * given. Neither many addresses nor many accounts help to guess a secret.
 *
 * @throws AppError RATE_LIMIT
 */
export async function enforceSignInLimit(
  endpoint: SignInEndpoint,
  address: string,
  emailKey: string | undefined,
  ctx: Omit<Limits, 'tierLimits'>,
): Promise<void> {
  const { signInPerAddress, signInPerEmail } = ctx.config.limitsPerMinute;
  const outcomes = [await take(`s:${endpoint}:a:${addressBlock(address)}`, signInPerAddress, ctx)];
  if (emailKey !== undefined) outcomes.push(await take(`s:${endpoint}:e:${emailKey}`, signInPerEmail, ctx));
  const refused = outcomes.find((outcome) => !outcome.ok);
  if (refused) throw rateLimitError(refused);
}

/**
 * Refuses a secret that is too long to be guessed. Only such failures count against the limit of the address: people behind one address
 * must not hinder each other.
 *
 * @throws AppError UNAUTHORIZED; RATE_LIMIT after many failures
 */
export async function refuseSecret(
  endpoint: SignInEndpoint,
  address: string,
  message: string,
  ctx: Omit<Limits, 'tierLimits'>,
): Promise<never> {
  await enforceSignInLimit(endpoint, address, undefined, ctx);
  throw new AppError('UNAUTHORIZED', message);
}

/** Enforces a limit on one kind of expensive request of a project, besides that of its caller. @throws AppError RATE_LIMIT */
export async function enforceProjectLimit(
  kind: 'connection-test' | 'mcp-test' | 'mcp-authorize',
  projectId: string,
  perMinute: number,
  ctx: Pick<Limits, 'rateStore'>,
): Promise<void> {
  const outcome = await take(`p:${kind}:${projectId}`, perMinute, ctx);
  if (!outcome.ok) throw rateLimitError(outcome);
}

export function rateLimitError(outcome: RateOutcome): AppError {
  return new AppError('RATE_LIMIT', RATE_LIMIT_TEXT, { retryAfterSeconds: outcome.retryAfterSeconds });
}

async function chooseBucket(
  principal: Principal,
  ctx: Omit<Limits, 'rateStore'>,
): Promise<{ key: string; perMinute: number }> {
  const limits = ctx.config.limitsPerMinute;
  switch (principal.kind) {
    case PrincipalKind.SECRET_KEY:
      return { key: `k:${principal.keyId}`, perMinute: limits.secretKey };
    case PrincipalKind.PUBLISHABLE_KEY:
      return { key: `k:${principal.keyId}`, perMinute: limits.publishableKey };
    case PrincipalKind.CUSTOMER:
      return { key: `c:${principal.customerId}`, perMinute: await customerLimit(principal, ctx) };
    default:
      return { key: `o:${principal.userId}`, perMinute: limits.owner };
  }
}

async function customerLimit(principal: Principal, ctx: Omit<Limits, 'rateStore'>): Promise<number> {
  const fallback = ctx.config.limitsPerMinute.customer;
  if (principal.tierCode === '') return fallback;
  const { perMinute } = await ctx.tierLimits.find(principal);
  return perMinute ?? fallback;
}

async function take(key: string, perMinute: number, ctx: Pick<Limits, 'rateStore'>): Promise<RateOutcome> {
  const rate: RateLimit = { limit: Math.max(1, perMinute), periodMs: MINUTE_MS };
  return toOutcome(await ctx.rateStore.take(key, rate));
}

function toOutcome(decision: RateDecision): RateOutcome {
  const headers = {
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.resetSeconds),
  };
  return { ok: decision.isAllowed, headers, retryAfterSeconds: decision.retryAfterSeconds };
}

/**
 * Returns the address that limits count against. Behind `hops` trusted proxies it is the entry that the outermost of them
 * added to X-Forwarded-For; entries further left are client-supplied and untrusted.
 */
export function clientAddress(req: Pick<IncomingMessage, 'headers' | 'socket'>, hops: number): string {
  const direct = req.socket.remoteAddress ?? 'unknown';
  if (hops === 0) return direct;
  const header = req.headers['x-forwarded-for'];
  const forwarded = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim());
  const address = forwarded.at(-hops);
  return address || direct;
}

const KEYS_MAX = 200_000;

/** Keeps limits in this process. Evicts the least recently used keys, which errs in the caller's favor. */
export class MemoryRateStore implements RateStore {
  readonly #arrivals = new LRUCache<string, number>(atMost(KEYS_MAX));
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the key's arrival, by the monotonic clock; undefined when it is unknown. */
  arrivalMs(key: string): number | undefined {
    return this.#arrivals.get(key);
  }

  /** Takes over the arrival that another store has decided. */
  note(key: string, arrivalMs: number): void {
    this.#arrivals.set(key, Math.max(arrivalMs, this.#arrivals.get(key) ?? arrivalMs));
  }

  take(key: string, rate: RateLimit): RateDecision {
    const decision = gcra(rate, this.#arrivals.get(key), this.#clock.elapsed());
    this.#arrivals.set(key, decision.arrivalMs);
    return decision;
  }
}
