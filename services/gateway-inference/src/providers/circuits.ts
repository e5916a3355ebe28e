import type { ProviderId } from '@tollgate/api/model-requests';
import {
  Circuit,
  type CircuitLimits,
  type CircuitReport,
  type CircuitState,
  type Clock,
  type Logger,
} from '@tollgate/runtime';
import type { ProviderFailure } from '../domain/provider-failure.js';

/** A model at a connection. */
interface Route {
  readonly provider: { readonly id: ProviderId };
  /** The id of the connection. */
  readonly connection: string;
  readonly upstreamModel: string;
}

/**
 * Keeps the record of every route and puts those that fail behind those that work. Never rejects a route: if there is no
 * other, it is tried, because its own error is the most precise.
 */
export class Circuits {
  readonly #limits: CircuitLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #byRoute = new Map<string, Circuit>();

  constructor(limits: CircuitLimits, clock: Clock, logger: Logger) {
    this.#limits = limits;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Returns the routes that work in their order, then those to avoid. */
  inOrder<Item extends Route>(routes: readonly Item[]): readonly Item[] {
    if (routes.length < 2) return routes;
    const elapsedMs = this.#clock.elapsed();
    const avoided: Item[] = [];
    const used = routes.filter((route) => {
      // Only the first route is probed: behind a working route it would not be asked.
      const isFirst = avoided.length === routes.indexOf(route);
      const circuit = this.#findCircuit(route);
      const before = circuit.state;
      if (before === 'closed' || (isFirst && circuit.admits(elapsedMs))) {
        this.#logChange(before, circuit, route);
        return true;
      }
      avoided.push(route);
      return false;
    });
    return avoided.length === 0 ? routes : [...used, ...avoided];
  }

  /** Returns the connections with routes that are avoided and have failed lately. */
  get failingConnections(): string[] {
    const elapsedMs = this.#clock.elapsed();
    const failing = [...this.#byRoute].filter(([, circuit]) => circuit.isFailing(elapsedMs)).map(([key]) => key);
    return [...new Set(failing.map((key) => key.slice(0, key.indexOf('/'))))];
  }

  /** Returns the circuit of a route with its times in epoch milliseconds; undefined if the route was never called. */
  find({ connection, upstreamModel }: Pick<Route, 'connection' | 'upstreamModel'>): CircuitReport | undefined {
    const report = this.#byRoute.get(`${connection}/${upstreamModel}`)?.report;
    return (
      report && { ...report, sinceMs: this.#toWall(report.sinceMs), nextProbeMs: this.#toWall(report.nextProbeMs) }
    );
  }

  /** Records how a call of the route ended: with an answer, or with a failure. */
  record(route: Route, failure?: ProviderFailure): void {
    if (failure && !isOfRoute(failure)) return;
    const circuit = this.#findCircuit(route);
    const before = circuit.state;
    if (failure) circuit.failed(this.#clock.elapsed());
    else circuit.succeeded(this.#clock.elapsed());
    this.#logChange(before, circuit, route);
  }

  #toWall(atMs: number | undefined): number | undefined {
    return atMs === undefined ? undefined : Math.round(this.#clock.nowMs() + atMs - this.#clock.elapsed());
  }

  /** Bounded by the routes of the catalog. */
  #findCircuit({ connection, upstreamModel }: Route): Circuit {
    const key = `${connection}/${upstreamModel}`;
    const known = this.#byRoute.get(key);
    if (known) return known;
    const circuit = new Circuit(this.#limits);
    this.#byRoute.set(key, circuit);
    return circuit;
  }

  #logChange(before: CircuitState, { state }: Circuit, { provider, connection, upstreamModel }: Route): void {
    if (state === before) return;
    const fields = { provider: provider.id, connection, upstream_model: upstreamModel, circuit: state };
    if (state === 'open') this.#logger.warn(fields, 'route failing; avoided');
    else this.#logger.info(fields, state === 'closed' ? 'route recovered' : 'route probed');
  }
}

/** Whether a failure is the route's, not the request's or our account's. */
function isOfRoute({ kind, status = 0 }: ProviderFailure): boolean {
  if (kind === 'timeout' || kind === 'transport' || kind === 'invalid_response' || kind === 'unauthorized') return true;
  return kind === 'response' && (status >= 500 || status === 429 || status === 408);
}
