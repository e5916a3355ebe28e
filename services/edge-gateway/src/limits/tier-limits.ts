import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { atMost, type Clock, type Logger, ReadCache } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import type { Clients } from '../clients/clients.js';

const TIMEOUT_MS = 1_000;

/** The settings of a customer's tier that the hot path needs. */
export interface TierInfo {
  /** Requests per minute; undefined = the default. */
  perMinute: number | undefined;
  /** Catalog id of the model for requests that name none. */
  defaultModel?: string | undefined;
  /** Catalog ids of the tier's models; undefined = currently unknown. */
  models?: ReadonlySet<string> | undefined;
}

const UNKNOWN: TierInfo = { perMinute: undefined };
const GONE: TierInfo = { perMinute: undefined, models: new Set() };

/** Time between calls while billing is unavailable. */
const FAILURE_MEMORY_MS = 2_000;
const TIERS_MAX = 10_000;
const CUSTOMERS_MAX = 50_000;
/** Entries of customers idle for longer expire; their next admission refreshes the tier. */
const MOVED_TTL_MS = 10 * 60_000;

/** Caches tiers' limits and default models for a minute, and keeps them while billing is unavailable. */
export class TierLimits {
  readonly #billing: Clients['billing'];
  readonly #cache: ReadCache<TierInfo>;
  /** Customers' current tiers from recent admissions; a token keeps naming the tier at which it was minted. */
  readonly #current = new LRUCache<string, string>({ ...atMost(CUSTOMERS_MAX), ttl: MOVED_TTL_MS });
  readonly #failedMs = new LRUCache<string, number>(atMost(TIERS_MAX));
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(billing: Clients['billing'], clock: Clock, logger: Logger) {
    this.#billing = billing;
    this.#clock = clock;
    this.#logger = logger;
    this.#cache = new ReadCache({ sizeMax: TIERS_MAX, freshMs: 15_000, staleMs: 60_000, clock });
  }

  /** Records the tier that billing returned for a customer with a token. */
  note({ kind, customerId }: Principal, tierCode: string): void {
    if (kind === PrincipalKind.CUSTOMER && tierCode !== '') this.#current.set(customerId, tierCode);
  }

  /** Returns the defaults for a deleted tier, and while billing is unavailable. */
  async find(principal: Principal): Promise<TierInfo> {
    const tierCode = this.#currentTier(principal);
    const key = `${principal.projectId}/${tierCode}`;
    const failedMs = this.#failedMs.get(key);
    if (failedMs !== undefined && this.#clock.elapsed() - failedMs < FAILURE_MEMORY_MS) return UNKNOWN;
    try {
      return (await this.#cache.get(key, () => this.#load(principal, tierCode))) ?? GONE;
    } catch (error) {
      this.#failedMs.set(key, this.#clock.elapsed());
      this.#logger.debug({ err: error }, 'tier not known');
      return UNKNOWN;
    }
  }

  #currentTier({ kind, customerId, tierCode }: Principal): string {
    return (kind === PrincipalKind.CUSTOMER && this.#current.get(customerId)) || tierCode;
  }

  async #load(principal: Principal, tierCode: string): Promise<TierInfo> {
    const call = startCall({ principal, timeoutMs: TIMEOUT_MS });
    const { tier } = await this.#billing.getTier({ by: { case: 'tierCode', value: tierCode } }, call);
    return {
      perMinute: tier?.rateLimitPerMinute,
      defaultModel: tier?.models.find((model) => model.isDefault)?.modelId,
      models: new Set(tier?.models.map(({ modelId }) => modelId)),
    };
  }
}
