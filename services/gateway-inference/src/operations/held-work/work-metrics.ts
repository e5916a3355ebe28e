import type { ProviderId } from '@tollgate/api/model-requests';
import { type BoundCounter, type BoundHistogram, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { HeldUsage } from './outcome.js';

/** How a provider ended one request. */
export type RequestOutcome = 'ok' | 'refused' | 'failed' | 'timeout' | 'canceled';

interface RequestSeries {
  count: BoundCounter;
  duration: BoundHistogram;
}

type TokenSeries = Record<'input' | 'output' | 'cache_read' | 'cache_write', BoundCounter>;

/** Counts tokens by model and requests by provider. Bounded by the catalog and the configured providers. */
export class WorkMetrics {
  readonly #metrics: Metrics;
  readonly #requests = new Map<string, RequestSeries>();
  readonly #tokens = new Map<string, TokenSeries>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Records the end of a request to a provider. */
  requestEnded(provider: ProviderId, outcome: RequestOutcome, durationMs: number): void {
    const key = `${provider} ${outcome}`;
    let series = this.#requests.get(key);
    if (!series) {
      series = this.#requestSeries(provider, outcome);
      this.#requests.set(key, series);
    }
    series.count.add();
    series.duration.record(durationMs / 1_000);
  }

  /** Records what work under a hold has used. */
  used(modelId: string, usage: HeldUsage): void {
    const { outputTokens = 0n, cacheReadInputTokens = 0n, cacheWriteInputTokens = 0n } = usage;
    const inputTokens = (usage.inputTokens ?? 0n) - (usage.toolFeeTokens ?? 0n);
    if (inputTokens === 0n && outputTokens === 0n) return;
    let series = this.#tokens.get(modelId);
    if (!series) {
      series = this.#tokenSeries(modelId);
      this.#tokens.set(modelId, series);
    }
    series.input.add(Number(inputTokens));
    series.output.add(Number(outputTokens));
    series.cache_read.add(Number(cacheReadInputTokens));
    series.cache_write.add(Number(cacheWriteInputTokens));
  }

  #requestSeries(provider: ProviderId, outcome: RequestOutcome): RequestSeries {
    const labels = ['provider', 'outcome'] as const;
    const values = { provider, outcome };
    const count = this.#metrics.counter({
      name: 'tollgate_provider_requests_total',
      help: 'Requests to model providers by outcome.',
      labels,
    });
    const duration = this.#metrics.histogram({
      name: 'tollgate_provider_request_duration_seconds',
      help: 'Time from a request to a model provider to the end of its answer.',
      labels,
      buckets: LATENCY_BUCKETS,
    });
    return { count: count.with(values), duration: duration.with(values) };
  }

  #tokenSeries(model: string): TokenSeries {
    const tokens = this.#metrics.counter({
      name: 'tollgate_tokens_total',
      help: 'Tokens that models used, cached ones included in the input.',
      labels: ['model', 'kind'],
      seriesMax: 2_000,
    });
    return {
      input: tokens.with({ model, kind: 'input' }),
      output: tokens.with({ model, kind: 'output' }),
      cache_read: tokens.with({ model, kind: 'cache_read' }),
      cache_write: tokens.with({ model, kind: 'cache_write' }),
    };
  }
}

export function toOutcome({ kind, status = 500 }: ProviderFailure): RequestOutcome {
  if (kind === 'timeout') return 'timeout';
  if (kind === 'payment' || kind === 'overloaded' || kind === 'unwritten') return 'refused';
  return kind === 'response' && status < 500 ? 'refused' : 'failed';
}
