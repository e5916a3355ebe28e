import type { ProviderId } from '@tollgate/api/model-requests';
import type { RouteChoice } from '@tollgate/catalog';
import {
  Circuit,
  type CircuitLimits,
  type CircuitReport,
  type CircuitState,
  type Clock,
  type Logger,
} from '@tollgate/runtime';
import type { ProviderFailure } from '../domain/provider-failure.js';
import { isOfKey, type KeyPool } from './connections/key-pool.js';

/** A model at a connection. */
interface Route {
  readonly provider: { readonly id: ProviderId };
  /** The id of the connection. */
  readonly connection: string;
  readonly upstreamModel: string;
  /** Its share of the requests, if they are distributed by weight. */
  readonly weight?: number | undefined;
  /** The keys of the connection. */
  readonly keys?: Pick<KeyPool, 'hasOther'> | undefined;
  /** Keep the record of the route, because its connection is of one project. */
  readonly ownCircuits?: Circuits | undefined;
}

/** The weight of the newest measurement. */
const NEWEST = 0.2;
/** After this time without a measurement, a latency counts half: a route that was slow is tried again. */
const HALF_LIFE_MS = 5 * 60_000;

/** The record of one route. */
interface RouteRecord {
  readonly circuit: Circuit;
  /** From a request to the first byte of a stream; undefined until one was measured. */
  latencyMs?: number;
  measuredAtMs: number;
  /** Of the distribution by weight. */
  credit: number;
}

/**
 * Keeps the record of every route and puts those that fail behind those that work. Never rejects a route: if there is no
 * other, it is tried, because its own error is the most precise.
 */
export class Circuits {
  readonly #limits: CircuitLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #byRoute = new Map<string, RouteRecord>();

  constructor(limits: CircuitLimits, clock: Clock, logger: Logger) {
    this.#limits = limits;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Returns the routes that work, the chosen one first and the others in their order; then those to avoid. */
  inOrder<Item extends Route>(routes: readonly Item[], choice: RouteChoice = 'ordered'): readonly Item[] {
    if (routes.length < 2) return routes;
    const { used, avoided } = this.divide(routes);
    const sorted = avoided.length === 0 ? routes : [...used, ...avoided];
    if (choice === 'ordered') return sorted;
    const isWorking = (route: Item): boolean => this.#find(route).circuit.state === 'closed';
    const working = sorted.filter(isWorking);
    // A route that is to be probed stays first.
    if (working.length < 2 || !isWorking(sorted[0]!)) return sorted;
    const first = choice === 'weighted' ? this.#takeByWeight(working) : this.#findFastest(working);
    return [first, ...sorted.filter((route) => route !== first)];
  }

  /** Records the time from a request to the first byte of its stream. */
  started(route: Route, latencyMs: number): void {
    const record = this.#find(route);
    const { latencyMs: before = latencyMs } = record;
    record.latencyMs = before + NEWEST * (latencyMs - before);
    record.measuredAtMs = this.#clock.elapsed();
  }

  /** Smooth weighted round-robin: shares are exact over time, and interleaved. */
  #takeByWeight<Item extends Route>(routes: readonly Item[]): Item {
    let chosen = routes[0]!;
    let total = 0;
    for (const route of routes) {
      const record = this.#find(route);
      const weight = route.weight ?? 1;
      record.credit += weight;
      total += weight;
      if (record.credit > this.#find(chosen).credit) chosen = route;
    }
    this.#find(chosen).credit -= total;
    return chosen;
  }

  /** A route without a measurement comes first, so that it gets one. */
  #findFastest<Item extends Route>(routes: readonly Item[]): Item {
    const now = this.#clock.elapsed();
    const latency = (route: Item): number => {
      const { latencyMs = 0, measuredAtMs } = this.#find(route);
      return latencyMs * 0.5 ** ((now - measuredAtMs) / HALF_LIFE_MS);
    };
    return routes.reduce((best, route) => (latency(route) < latency(best) ? route : best));
  }

  /** Divides routes, in their order, into those to use and those to avoid because they fail. */
  divide<Item extends Route>(routes: readonly Item[]): { used: readonly Item[]; avoided: readonly Item[] } {
    const elapsedMs = this.#clock.elapsed();
    const avoided: Item[] = [];
    const used = routes.filter((route) => {
      // Only the first route is probed: behind a working route it would not be asked.
      const isFirst = avoided.length === routes.indexOf(route);
      const { circuit } = this.#find(route);
      const before = circuit.state;
      if (before === 'closed' || (isFirst && circuit.admits(elapsedMs))) {
        this.#logChange(before, circuit, route);
        return true;
      }
      avoided.push(route);
      return false;
    });
    return { used, avoided };
  }

  /** Returns the connections with routes that are avoided and have failed lately. */
  get failingConnections(): string[] {
    const elapsedMs = this.#clock.elapsed();
    const failing = [...this.#byRoute].filter(([, { circuit }]) => circuit.isFailing(elapsedMs)).map(([key]) => key);
    return [...new Set(failing.map((key) => key.slice(0, key.indexOf('/'))))];
  }

  /** Returns the circuit of a route with its times in epoch milliseconds; undefined if the route was never called. */
  find({ connection, upstreamModel }: Pick<Route, 'connection' | 'upstreamModel'>): CircuitReport | undefined {
    const report = this.#byRoute.get(`${connection}/${upstreamModel}`)?.circuit.report;
    return (
      report && { ...report, sinceMs: this.#toWall(report.sinceMs), nextProbeMs: this.#toWall(report.nextProbeMs) }
    );
  }

  /**
   * Records how a call of the route ended: with an answer, or with a failure. The failure of a key does not count while the connection
   * has another one.
   */
  record(route: Route, failure?: ProviderFailure): void {
    if (failure && (!isOfRoute(failure) || (isOfKey(failure) && route.keys?.hasOther))) return;
    const { circuit } = this.#find(route);
    const before = circuit.state;
    if (failure) circuit.failed(this.#clock.elapsed());
    else circuit.succeeded(this.#clock.elapsed());
    this.#logChange(before, circuit, route);
  }

  #toWall(atMs: number | undefined): number | undefined {
    return atMs === undefined ? undefined : Math.round(this.#clock.nowMs() + atMs - this.#clock.elapsed());
  }

  /** Bounded by the routes of the catalog, or by the connections of one project. */
  #find({ connection, upstreamModel, ownCircuits }: Route): RouteRecord {
    const records = (ownCircuits ?? this).#byRoute;
    const key = `${connection}/${upstreamModel}`;
    const known = records.get(key);
    if (known) return known;
    const record: RouteRecord = { circuit: new Circuit(this.#limits), measuredAtMs: 0, credit: 0 };
    records.set(key, record);
    return record;
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
