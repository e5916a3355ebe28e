import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import type { Clock, Logger } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import { LookupCache } from '../auth/lookup-cache.js';
import type { Clients } from '../clients/clients.js';

const TIMEOUT_MS = 1_000;

/** What the hot path needs to know of a customer's tier. */
export interface TierFacts {
  /** Requests per minute; undefined: the default applies. */
  perMinute: number | undefined;
  /** Catalog id that a request without a model means. */
  defaultModel?: string | undefined;
  /** Catalog ids of the tier's models; undefined: not known right now. */
  models?: ReadonlySet<string> | undefined;
}

const UNKNOWN: TierFacts = { perMinute: undefined };
const GONE: TierFacts = { perMinute: undefined, models: new Set() };

/** While billing is away requests must not ask it each time. */
const FAILURE_MEMORY_MS = 2_000;
const TIERS_MAX = 10_000;
const CUSTOMERS_MAX = 50_000;
/** A customer who asks less often is asked about again: its next admission tells. */
const MOVED_TTL_MS = 10 * 60_000;

/** Tiers' limits and default models as billing knows them; remembered for a minute, also while billing is away. */
export class TierLimits {
  readonly #billing: Clients['billing'];
  readonly #cache: LookupCache<TierFacts>;
  /** Tiers of customers that billing has named lately. Tokens go on naming the one that they were minted under. */
  readonly #current = new LRUCache<string, string>({ max: CUSTOMERS_MAX, ttl: MOVED_TTL_MS });
  readonly #failedMs = new LRUCache<string, number>({ max: TIERS_MAX });
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(billing: Clients['billing'], clock: Clock, logger: Logger) {
    this.#billing = billing;
    this.#clock = clock;
    this.#logger = logger;
    this.#cache = new LookupCache({ entriesMax: TIERS_MAX, freshMs: 15_000, staleMs: 60_000, clock });
  }

  /** What billing says is the tier of a customer that asks by token. */
  note({ kind, customerId }: Principal, tierCode: string): void {
    if (kind === PrincipalKind.CUSTOMER && tierCode !== '') this.#current.set(customerId, tierCode);
  }

  /** Nothing is known of a tier that is gone, or whose billing is away: the defaults apply then. */
  find(principal: Principal): TierFacts | Promise<TierFacts> {
    const tierCode = this.#tierOf(principal);
    const key = `${principal.projectId}/${tierCode}`;
    const failedMs = this.#failedMs.get(key);
    if (failedMs !== undefined && this.#clock.nowMs() - failedMs < FAILURE_MEMORY_MS) return UNKNOWN;
    const found = this.#cache.get(key, () => this.#load(principal, tierCode));
    if (!(found instanceof Promise)) return found;
    return found.then(
      (facts) => facts ?? GONE,
      (error: unknown) => {
        this.#failedMs.set(key, this.#clock.nowMs());
        this.#logger.debug({ err: error }, 'tier not known');
        return UNKNOWN;
      },
    );
  }

  #tierOf({ kind, customerId, tierCode }: Principal): string {
    return (kind === PrincipalKind.CUSTOMER && this.#current.get(customerId)) || tierCode;
  }

  async #load(principal: Principal, tierCode: string): Promise<TierFacts> {
    const call = startCall({ principal, timeoutMs: TIMEOUT_MS });
    const { tier } = await this.#billing.getTier({ by: { case: 'tierCode', value: tierCode } }, call);
    return {
      perMinute: tier?.rateLimitPerMinute,
      defaultModel: tier?.models.find((model) => model.isDefault)?.modelId,
      models: new Set(tier?.models.map(({ modelId }) => modelId)),
    };
  }
}
