import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import type { Clock, Logger } from '@tollgate/runtime';
import { LookupCache } from '../auth/lookup-cache.js';
import type { Clients } from '../clients/clients.js';

const TIMEOUT_MS = 1_000;

/** What the hot path needs to know of a customer's tier. */
export interface TierFacts {
  /** Requests per minute; undefined: the default applies. */
  perMinute: number | undefined;
  /** Catalog id that a request without a model means. */
  defaultModel?: string | undefined;
}

/** Tiers' limits and default models as billing knows them; remembered for a minute. */
export class TierLimits {
  readonly #billing: Clients['billing'];
  readonly #cache: LookupCache<TierFacts>;
  readonly #logger: Logger;

  constructor(billing: Clients['billing'], clock: Clock, logger: Logger) {
    this.#billing = billing;
    this.#logger = logger;
    this.#cache = new LookupCache({ entriesMax: 10_000, freshMs: 15_000, staleMs: 60_000, clock });
  }

  /** Undefined when the tier names no limit, is gone, or billing is away: the default applies then. */
  find(principal: Principal): TierFacts | Promise<TierFacts> {
    const found = this.#cache.get(`${principal.projectId}/${principal.tierCode}`, () => this.#load(principal));
    if (!(found instanceof Promise)) return found;
    return found.then(
      (limit) => limit ?? { perMinute: undefined },
      (error: unknown) => {
        this.#logger.debug({ err: error }, 'tier limit not known');
        return { perMinute: undefined };
      },
    );
  }

  async #load(principal: Principal): Promise<TierFacts> {
    const call = startCall({ principal, timeoutMs: TIMEOUT_MS });
    const { tier } = await this.#billing.getTier({ by: { case: 'tierCode', value: principal.tierCode } }, call);
    return {
      perMinute: tier?.rateLimitPerMinute,
      defaultModel: tier?.models.find((model) => model.isDefault)?.modelId,
    };
  }
}
