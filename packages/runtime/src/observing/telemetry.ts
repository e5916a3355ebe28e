import {
  type Attributes,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { installTracer, type Span, type SpanFields, type SpanKind, type Tracer } from './tracing.js';

const KINDS: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
};

/**
 * Lets this process create spans and send them by OTLP. Code starts spans explicitly; nothing is
 * instrumented automatically, and no context follows asynchronous calls by itself. Configured by the standard OTEL_*
 * variables; OTEL_SERVICE_NAME overrides `serviceName`.
 */
export function startTelemetry(serviceName: string): void {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  installTracer(toTracer(provider));
}

function toTracer(provider: BasicTracerProvider): Tracer {
  const spans = provider.getTracer('tollgate');
  return {
    start(name, kind, parent, fields) {
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent));
      const span = spans.startSpan(name, { kind: KINDS[kind], attributes: fields as Attributes }, context);
      return span.isRecording() ? new RecordedSpan(span) : undefined;
    },
    stop: () => provider.shutdown(),
  };
}

function toSpanContext(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

class RecordedSpan implements Span {
  readonly traceparent: string;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
    const { traceId, spanId } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-01`;
  }

  set(fields: SpanFields): void {
    this.#span.setAttributes(fields as Attributes);
  }

  event(name: string): void {
    this.#span.addEvent(name);
  }

  fail(type: string): void {
    this.#span.setAttribute(ATTR_ERROR_TYPE, type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}
