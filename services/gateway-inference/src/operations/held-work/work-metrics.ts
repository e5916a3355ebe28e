import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOKEN_TYPE,
  GEN_AI_TOKEN_TYPE_VALUE_INPUT,
  GEN_AI_TOKEN_TYPE_VALUE_OUTPUT,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
} from '@opentelemetry/semantic-conventions/incubating';
import type { ProviderId } from '@tollgate/api/model-requests';
import { type BoundCounter, type BoundHistogram, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import { type GenAiOperation, toGenAiProvider } from '../../domain/gen-ai.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { HeldUsage } from '../../domain/work-state.js';

/** How a provider ended one request. */
export type RequestOutcome = 'ok' | 'refused' | 'failed' | 'timeout' | 'canceled';

interface RequestSeries {
  count: BoundCounter;
  duration: BoundHistogram;
}

/** A model at a provider, and what it is asked for. */
export interface Operation {
  provider: ProviderId;
  modelId: string;
  operation: GenAiOperation;
}

type UsageSeries = Record<'input' | 'output', BoundHistogram>;

/** Bounds that the conventions of OpenTelemetry name. */
const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power);
/** Models times providers times outcomes. */
const SERIES_MAX = 4_000;

type TokenSeries = Record<'input' | 'output' | 'cache_read' | 'cache_write', BoundCounter>;

/** Counts tokens by model and requests by provider. Bounded by the catalog and the configured providers. */
export class WorkMetrics {
  readonly #metrics: Metrics;
  readonly #requests = new Map<string, RequestSeries>();
  readonly #tokens = new Map<string, TokenSeries>();
  readonly #durations = new Map<string, BoundHistogram>();
  readonly #usages = new Map<string, UsageSeries>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Records the end of a request to a provider. */
  requestEnded(asked: Operation, outcome: RequestOutcome, durationMs: number): void {
    const { provider } = asked;
    const key = `${provider} ${outcome}`;
    let series = this.#requests.get(key);
    if (!series) {
      series = this.#requestSeries(provider, outcome);
      this.#requests.set(key, series);
    }
    series.count.add();
    series.duration.record(durationMs / 1_000);
    const place = `${toKey(asked)} ${outcome}`;
    let duration = this.#durations.get(place);
    if (!duration) {
      duration = this.#durationSeries(asked, outcome);
      this.#durations.set(place, duration);
    }
    duration.record(durationMs / 1_000);
  }

  /** Records what work under a hold has used. `asked` is absent if no provider was asked. */
  used(modelId: string, usage: HeldUsage, asked?: Operation): void {
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
    if (!asked) return;
    const place = toKey(asked);
    let used = this.#usages.get(place);
    if (!used) {
      used = this.#usageSeries(asked);
      this.#usages.set(place, used);
    }
    used.input.record(Number(inputTokens));
    used.output.record(Number(outputTokens));
  }

  #durationSeries(asked: Operation, outcome: RequestOutcome): BoundHistogram {
    const histogram = this.#metrics.histogram({
      name: METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
      help: 'Seconds of requests to model providers, by the conventions of OpenTelemetry.',
      labels: [...OPERATION_LABELS, ATTR_ERROR_TYPE],
      buckets: DURATION_BUCKETS,
      seriesMax: SERIES_MAX,
    });
    return histogram.with({ ...toLabels(asked), [ATTR_ERROR_TYPE]: outcome === 'ok' ? '' : outcome });
  }

  #usageSeries(asked: Operation): UsageSeries {
    const histogram = this.#metrics.histogram({
      name: METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
      help: 'Tokens of settled work, by the conventions of OpenTelemetry.',
      labels: [...OPERATION_LABELS, ATTR_GEN_AI_TOKEN_TYPE],
      buckets: TOKEN_BUCKETS,
      seriesMax: SERIES_MAX,
    });
    const labels = toLabels(asked);
    return {
      input: histogram.with({ ...labels, [ATTR_GEN_AI_TOKEN_TYPE]: GEN_AI_TOKEN_TYPE_VALUE_INPUT }),
      output: histogram.with({ ...labels, [ATTR_GEN_AI_TOKEN_TYPE]: GEN_AI_TOKEN_TYPE_VALUE_OUTPUT }),
    };
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

const OPERATION_LABELS = [ATTR_GEN_AI_OPERATION_NAME, ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_REQUEST_MODEL] as const;

function toKey({ provider, modelId, operation }: Operation): string {
  return `${operation} ${provider} ${modelId}`;
}

function toLabels({ provider, modelId, operation }: Operation): Record<(typeof OPERATION_LABELS)[number], string> {
  return {
    [ATTR_GEN_AI_OPERATION_NAME]: operation,
    [ATTR_GEN_AI_PROVIDER_NAME]: toGenAiProvider(provider),
    [ATTR_GEN_AI_REQUEST_MODEL]: modelId,
  };
}

export function toOutcome({ kind, status = 500 }: ProviderFailure): RequestOutcome {
  if (kind === 'timeout') return 'timeout';
  if (kind === 'payment' || kind === 'overloaded' || kind === 'unwritten') return 'refused';
  return kind === 'response' && status < 500 ? 'refused' : 'failed';
}
