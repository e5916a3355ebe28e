import type { DescMethod } from '@bufbuild/protobuf';
import { asAppError } from '@tollgate/errors';
import { type BoundCounter, type BoundHistogram, LATENCY_BUCKETS, type Metrics } from '@tollgate/metrics';
import { elapsed } from '@tollgate/runtime';
import type { Call } from './call.js';
import type { Registration } from './service.js';

type Handler = Registration['handlers'][string];

/** Records the end of one call: `OK`, `CANCELED` for a stream that was left, or the code of its error. */
type Record = (code: string, startedMs: number) => void;

const OK = 'OK';
const CANCELED = 'CANCELED';

/**
 * Returns the same services with counted and timed calls: `tollgate_rpc_requests_total` and
 * `tollgate_rpc_request_duration_seconds`, over every transport. A stream lasts until its last item is read, or its
 * reader stops.
 */
export function measureCalls(registrations: readonly Registration[], metrics: Metrics): Registration[] {
  const labels = ['method', 'code'] as const;
  const requests = metrics.counter({ name: 'tollgate_rpc_requests_total', help: 'Calls by method and code.', labels });
  const durations = metrics.histogram({
    name: 'tollgate_rpc_request_duration_seconds',
    help: 'Time from the call to its last reply.',
    labels,
    buckets: LATENCY_BUCKETS,
  });

  function recorder(method: DescMethod): Record {
    const name = `${method.parent.name}/${method.name}`;
    const ends = new Map<string, { requests: BoundCounter; duration: BoundHistogram }>();
    return (code, startedMs) => {
      let end = ends.get(code);
      if (!end) {
        const values = { method: name, code };
        end = { requests: requests.with(values), duration: durations.with(values) };
        ends.set(code, end);
      }
      end.requests.add();
      end.duration.record((elapsed() - startedMs) / 1_000);
    };
  }

  return registrations.map(({ service, handlers }) => ({
    service,
    handlers: Object.fromEntries(
      service.methods.flatMap((method) => {
        const handler = handlers[method.localName];
        if (!handler) return [];
        const record = recorder(method);
        const measured = method.methodKind === 'unary' ? unary(handler, record) : streaming(handler, record);
        return [[method.localName, measured]];
      }),
    ),
  }));
}

function unary(handler: Handler, record: Record): Handler {
  return async (req: unknown, call: Call) => {
    const startedMs = elapsed();
    try {
      const res = await handler(req, call);
      record(OK, startedMs);
      return res;
    } catch (error) {
      record(toCode(error), startedMs);
      throw error;
    }
  };
}

function streaming(handler: Handler, record: Record): Handler {
  return (req: unknown, call: Call) => new MeasuredStream(() => handler(req, call), record);
}

/** Passes on the items unchanged. */
class MeasuredStream implements AsyncIterableIterator<unknown> {
  readonly #open: () => AsyncIterable<unknown>;
  readonly #record: Record;
  readonly #startedMs = elapsed();
  #items: AsyncIterator<unknown> | undefined;
  #isOver = false;

  constructor(open: () => AsyncIterable<unknown>, record: Record) {
    this.#open = open;
    this.#record = record;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    try {
      this.#items ??= this.#open()[Symbol.asyncIterator]();
    } catch (error) {
      this.#fail(error);
      return Promise.reject(error);
    }
    const next = this.#items.next();
    next.then(this.#passed, this.#fail);
    return next;
  }

  async return(): Promise<IteratorResult<unknown>> {
    this.#end(CANCELED);
    return (await this.#items?.return?.()) ?? { value: undefined, done: true };
  }

  readonly #passed = ({ done }: IteratorResult<unknown>): void => {
    if (done) this.#end(OK);
  };

  readonly #fail = (error: unknown): void => this.#end(toCode(error));

  #end(code: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#record(code, this.#startedMs);
  }
}

/** Does not report the error as unexpected: the transport does that. */
function toCode(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return 'RELAY_TIMEOUT';
  return asAppError(error).code;
}
