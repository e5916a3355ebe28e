import type { DescMethod } from '@bufbuild/protobuf';
import {
  ATTR_RPC_METHOD,
  ATTR_RPC_SERVICE,
  ATTR_RPC_SYSTEM,
  RPC_SYSTEM_VALUE_GRPC,
} from '@opentelemetry/semantic-conventions/incubating';
import { errorType, isTracing, type Span, type SpanKind, startSpan, withinSpan } from '@tollgate/runtime';
import type { Call } from './call.js';
import { methodPath, type Registration } from './service.js';

// biome-ignore lint/suspicious/noExplicitAny: clients and handlers are typed where they are made
type Run = (req: any, call: Call) => any;

/**
 * Puts each call of a method into a span of its own, below the span of its caller. A call whose caller is not recorded has
 * no span, and without tracing the method is unchanged. Streams that carry many calls are not spans.
 */
export function traceMethod(method: DescMethod, kind: SpanKind, run: Run): Run {
  if (!isTracing()) return run;
  const path = methodPath(method).slice(1);
  const fields = {
    [ATTR_RPC_SYSTEM]: RPC_SYSTEM_VALUE_GRPC,
    [ATTR_RPC_SERVICE]: method.parent.typeName,
    [ATTR_RPC_METHOD]: method.name,
  };
  const isUnary = method.methodKind === 'unary';
  return (req, call) => {
    const span = startSpan(path, kind, call.traceparent, fields);
    if (!span) return run(req, call);
    const traced = call.traced(span.traceparent);
    return isUnary ? withinSpan(span, () => run(req, traced)) : new TracedStream(span, run(req, traced));
  };
}

/** Puts the work of a server for each call into a span. */
export function traceHandlers({ service, handlers }: Registration): Registration {
  if (!isTracing()) return { service, handlers };
  const traced: Registration['handlers'] = {};
  for (const method of service.methods) {
    const handler = handlers[method.localName];
    if (handler) traced[method.localName] = traceMethod(method, 'server', handler);
  }
  return { service, handlers: traced };
}

/** The items of a streaming call; its span ends with them. */
class TracedStream implements AsyncIterableIterator<unknown> {
  readonly #span: Span;
  readonly #source: AsyncIterable<unknown>;
  #items: AsyncIterator<unknown> | undefined;
  #hasItems = false;
  #isOver = false;

  constructor(span: Span, source: AsyncIterable<unknown>) {
    this.#span = span;
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown>> {
    try {
      const result = await this.#iterator().next();
      if (result.done) this.#end();
      else if (!this.#hasItems) {
        this.#hasItems = true;
        this.#span.event('first message');
      }
      return result;
    } catch (error) {
      this.#end(errorType(error));
      throw error;
    }
  }

  async return(): Promise<IteratorResult<unknown>> {
    this.#end();
    await this.#iterator().return?.();
    return { value: undefined, done: true };
  }

  #iterator(): AsyncIterator<unknown> {
    this.#items ??= this.#source[Symbol.asyncIterator]();
    return this.#items;
  }

  #end(failure?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (failure !== undefined) this.#span.fail(failure);
    this.#span.end();
  }
}
