export type SpanKind = 'server' | 'client' | 'internal' | 'producer' | 'consumer';
export type SpanFields = Record<string, string | number | boolean | readonly string[] | undefined>;

/**
 * A span that is recorded. End it exactly once. Fields must not contain text of users, secrets or addresses; only the content that an
 * operator switches on may.
 */
export interface Span {
  /** W3C context of what happens within the span. */
  readonly traceparent: string;
  set(fields: SpanFields): void;
  event(name: string): void;
  /** Marks the span as failed. `type` is an error code, never a message: messages may quote what users sent. */
  fail(type: string): void;
  end(): void;
}

/** Makes spans. `startTelemetry` installs the only one. */
export interface Tracer {
  /** Returns undefined for a span that is not sampled. */
  start(name: string, kind: SpanKind, parent: string | undefined, fields: SpanFields): Span | undefined;
  /** Sends the spans that have ended. */
  stop(): Promise<void>;
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const FLAGS_AT = 53;
const SAMPLED = 1;

let tracer: Tracer | undefined;

/** Called by `startTelemetry`, and by tests that read spans. Undefined: no spans are made. */
export function installTracer(installed: Tracer | undefined): void {
  tracer = installed;
}

/** Whether this process makes spans at all. Without it no trace context is read, carried or stored. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/**
 * Starts the first span of a process's part of a trace: a new trace, or the continuation of the caller's. Returns undefined
 * when the sampler leaves it out.
 */
export function startTrace(
  name: string,
  kind: SpanKind,
  parent: string | undefined,
  fields: SpanFields,
): Span | undefined {
  return tracer?.start(name, kind, parent, fields);
}

/** Starts a span within a recorded one. Returns undefined when the parent is not recorded: there are no orphans. */
export function startSpan(
  name: string,
  kind: SpanKind,
  parent: string | undefined,
  fields: SpanFields,
): Span | undefined {
  return tracer !== undefined && isSampled(parent) ? tracer.start(name, kind, parent, fields) : undefined;
}

/** Runs a function within a span and ends the span with it. `span` undefined: only runs it. */
export async function withinSpan<T>(span: Span | undefined, run: () => Promise<T> | T): Promise<T> {
  if (!span) return run();
  try {
    return await run();
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the code of an error that has one, else its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** Returns the W3C header when it is well-formed and this process makes spans. */
export function readTraceparent(header: string | readonly string[] | undefined): string | undefined {
  return tracer !== undefined && typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}

/** The context of a caller whose trace is left out here: the trace's id stays known, and nothing below is recorded. */
export function unsampled(traceparent: string | undefined): string | undefined {
  return traceparent && `${traceparent.slice(0, FLAGS_AT)}00`;
}

export async function stopTracing(): Promise<void> {
  const stopped = tracer;
  tracer = undefined;
  await stopped?.stop();
}

function isSampled(traceparent: string | undefined): traceparent is string {
  return traceparent !== undefined && (Number.parseInt(traceparent.slice(FLAGS_AT), 16) & SAMPLED) === SAMPLED;
}
