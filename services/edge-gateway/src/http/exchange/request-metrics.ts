import type { ServerResponse } from 'node:http';
import { asAppError } from '@tollgate/errors';
import {
  type BoundCounter,
  type BoundHistogram,
  type Counter,
  type Histogram,
  LATENCY_BUCKETS,
  type Metrics,
} from '@tollgate/metrics';
import { elapsed } from '@tollgate/runtime';
import { hostPath } from '../paths.js';

/** The pattern of an endpoint; never a requested path. */
interface Endpoint {
  method: string;
  path: string;
}

interface Request {
  route: Endpoint;
  res: ServerResponse;
  /** The connection has closed; no `close` of the answer may follow. */
  hasClientLeft: boolean;
  startedMs: number;
}

interface Series {
  count: BoundCounter;
  duration: BoundHistogram;
}

/** The status recorded for a request whose client left before the answer. */
const CLIENT_LEFT = 499;
/** The labels of requests that belong to no endpoint. */
const UNROUTED = { method: 'any', path: 'none' };
const LABELS = ['route', 'method', 'status'] as const;
/** There are about 150 endpoints, with a few statuses each. */
const SERIES_MAX = 1_000;

/** Counts and times requests of the public API. */
export class RequestMetrics {
  readonly #requests: Counter<(typeof LABELS)[number]>;
  readonly #durations: Histogram<(typeof LABELS)[number]>;
  readonly #firstBytes: Histogram<'route' | 'model'>;
  readonly #refusals: Counter<'code'>;
  readonly #byRoute = new WeakMap<Endpoint, Map<number, Series>>();
  #inFlight = 0;

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter({
      name: 'tollgate_http_requests_total',
      help: 'Answered requests; status 499: the client left before the answer.',
      labels: LABELS,
      seriesMax: SERIES_MAX,
    });
    this.#durations = metrics.histogram({
      name: 'tollgate_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its answer.',
      labels: LABELS,
      buckets: LATENCY_BUCKETS,
      seriesMax: SERIES_MAX,
    });
    this.#firstBytes = metrics.histogram({
      name: 'tollgate_http_first_byte_seconds',
      help: 'Time from the headers of a streamed request to the first piece of its answer.',
      labels: ['route', 'model'],
      buckets: LATENCY_BUCKETS,
    });
    this.#refusals = metrics.counter({
      name: 'tollgate_refusals_total',
      help: 'Error answers by the code of their error.',
      labels: ['code'],
    });
    metrics.observe({
      series: { inFlight: { name: 'tollgate_http_requests_in_flight', help: 'Requests without a complete answer.' } },
      read: () => ({ inFlight: this.#inFlight }),
    });
  }

  /** Counts and times a request until its answer is closed. */
  follow(request: Request): void {
    if (request.hasClientLeft) {
      this.#count(request);
      return;
    }
    this.#inFlight++;
    request.res.once('close', () => {
      this.#inFlight--;
      this.#count(request);
    });
  }

  /** Counts and times a request that belongs to no endpoint. */
  followUnrouted({ res, startedMs, hasClientLeft }: Omit<Request, 'route'>): void {
    this.follow({ route: UNROUTED, res, startedMs, hasClientLeft });
  }

  /** Counts a request that became a socket, and times its opening. */
  upgraded(route: Endpoint, startedMs: number): void {
    const { count, duration } = this.#findSeries(route, 101);
    count.add();
    duration.record((elapsed() - startedMs) / 1_000);
  }

  /** Records the first piece of a streamed answer of a model. */
  firstByte({ route, startedMs }: Pick<Request, 'route' | 'startedMs'>, model: string): void {
    this.#firstBytes.record({ route: hostPath(route.path), model }, (elapsed() - startedMs) / 1_000);
  }

  /** Records an error that is answered. */
  refused(error: unknown): void {
    this.#refusals.add({ code: asAppError(error).code });
  }

  #count({ route, res, startedMs }: Request): void {
    const { count, duration } = this.#findSeries(route, res.headersSent ? res.statusCode : CLIENT_LEFT);
    count.add();
    duration.record((elapsed() - startedMs) / 1_000);
  }

  #findSeries(route: Endpoint, status: number): Series {
    const byStatus = this.#byRoute.get(route) ?? new Map<number, Series>();
    this.#byRoute.set(route, byStatus);
    let series = byStatus.get(status);
    if (!series) {
      const path = route === UNROUTED ? route.path : hostPath(route.path);
      const labels = { route: path, method: route.method, status: String(status) };
      series = { count: this.#requests.with(labels), duration: this.#durations.with(labels) };
      byStatus.set(status, series);
    }
    return series;
  }
}
