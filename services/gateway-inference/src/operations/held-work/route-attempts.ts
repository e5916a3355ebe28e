import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RouteAttemptSchema } from '@tollgate/contracts/common/v1/usage_pb.js';
import { elapsed } from '@tollgate/runtime';
import type { ProviderFailure } from '../../domain/provider-failure.js';

type RouteAttempt = MessageInitShape<typeof RouteAttemptSchema>;

/** A tool loop may make more calls; the last one replaces the one before. */
const ATTEMPTS_MAX = 20;

interface AskedRoute {
  readonly provider: { readonly id: string };
  readonly connection: string;
  readonly upstreamModel: string;
  /** Present of a connection of the project itself. */
  readonly ownCircuits?: object | undefined;
}

/** Collects the calls to providers of one request, for reports. */
export class RouteAttempts {
  readonly #list: RouteAttempt[] = [];
  #askedAtMs: number | undefined;

  get list(): RouteAttempt[] {
    return this.#list;
  }

  ask({ provider, connection, upstreamModel, ownCircuits }: AskedRoute): void {
    this.#askedAtMs = elapsed();
    if (this.#list.length === ATTEMPTS_MAX) this.#list.pop();
    this.#list.push({ provider: provider.id, connection, upstreamModel, ...(ownCircuits && { isOwn: true }) });
  }

  /** Does nothing when no attempt is open. */
  end(outcome: 'answered' | 'failed' | 'canceled' | 'skipped', failure?: ProviderFailure): void {
    const attempt = this.#list.at(-1);
    if (this.#askedAtMs === undefined || !attempt) return;
    attempt.outcome = outcome;
    attempt.durationMs = Math.round(elapsed() - this.#askedAtMs);
    if (failure) {
      attempt.failure = failure.kind;
      attempt.status = failure.status ?? 0;
    }
    this.#askedAtMs = undefined;
  }
}
