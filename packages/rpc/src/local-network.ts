import type { DescMessage, DescService } from '@bufbuild/protobuf';
import { createMessage } from '@tollgate/contracts/codec';
import { type Call, deadlineExceeded, receivedCall, unwatchDeadline, watchDeadline } from './call.js';
import { retryReads } from './retry-reads.js';
import { type Client, type Network, PeerNotServing, type Registration } from './service.js';
import { traceMethod } from './traced-calls.js';
import { callerLeft, toAppError, unreachable } from './wire-errors.js';

type AnyHandler = Registration['handlers'][string];

/**
 * All services in one process: a client's method calls the handler directly. No codec, no socket; deadlines,
 * cancellation and errors behave as over the wire. Handlers may be registered after the clients are created.
 */
export class LocalNetwork implements Network {
  readonly #handlers = new Map<string, Registration['handlers']>();

  register(...registrations: Registration[]): void {
    for (const r of registrations) this.#handlers.set(r.service.typeName, r.handlers);
  }

  unregister(...registrations: Registration[]): void {
    for (const r of registrations) this.#handlers.delete(r.service.typeName);
  }

  client<S extends DescService>(service: S): Client<S> {
    const out: Record<string, unknown> = {};
    for (const method of service.methods) {
      const name = method.localName;
      const label = `${service.typeName}.${method.name}`;
      const find = (): AnyHandler => {
        const handler = this.#handlers.get(service.typeName)?.[name];
        if (!handler) throw unreachable(new Error(`${service.typeName} is not running`));
        return handler;
      };
      if (method.methodKind === 'unary') {
        const target: UnaryTarget = { find, label, method };
        out[name] = traceMethod(
          method,
          'internal',
          retryReads(method, (req, call) => callUnary(target, req, call)),
        );
      } else if (method.methodKind === 'server_streaming') {
        const toMessage = (item: unknown) => createMessage(method.output, item as Record<string, unknown>);
        const open = (req: Record<string, unknown>, call: Call) =>
          new LocalStream(label, call, {
            open: (received) => find()(createMessage(method.input, req), received),
            toMessage,
          });
        out[name] = traceMethod(method, 'internal', open);
      } else if (method.methodKind === 'bidi_streaming') {
        const toMessage = (item: unknown) => createMessage(method.output, item as Record<string, unknown>);
        const open = (requests: AsyncIterable<Record<string, unknown>>, call: Call) =>
          new LocalStream(label, call, {
            open: (received) => find()(toMessages(method.input, requests), received),
            toMessage,
          });
        out[name] = traceMethod(method, 'internal', open);
      }
    }
    return out as Client<S>;
  }

  async check(protoPackage: string): Promise<void> {
    const isRunning = [...this.#handlers.keys()].some((typeName) => typeName.startsWith(`${protoPackage}.`));
    if (!isRunning) throw new PeerNotServing('not running');
  }

  async close(): Promise<void> {
    this.#handlers.clear();
  }
}

async function* toMessages(input: DescMessage, items: AsyncIterable<Record<string, unknown>>): AsyncGenerator<unknown> {
  for await (const item of items) yield createMessage(input, item);
}

interface UnaryTarget {
  find: () => AnyHandler;
  label: string;
  method: { input: DescMessage; output: DescMessage };
}

function callUnary(
  { find, label, method: { input, output } }: UnaryTarget,
  req: Record<string, unknown>,
  call: Call,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let received: Call;
    let handler: AnyHandler;
    try {
      handler = find();
      received = acceptCall(label, call);
    } catch (error) {
      reject(error);
      return;
    }
    const watch = watchDeadline(call.deadline, () => {
      const error = deadlineExceeded(label);
      received.abort(error);
      reject(error);
    });
    run(handler, createMessage(input, req), received).then(
      (res) => {
        unwatchDeadline(watch);
        resolve(createMessage(output, res as Record<string, unknown>));
      },
      (error: unknown) => {
        unwatchDeadline(watch);
        reject(toAppError(error));
      },
    );
  });
}

async function run(handler: AnyHandler, req: unknown, call: Call): Promise<unknown> {
  return handler(req, call);
}

/** The handler of a server-streaming call. */
export interface StreamSource {
  /** Opens the callee's items for the call that it receives. */
  open(received: Call): AsyncIterable<unknown>;
  /** Completes an item of the handler to a message. */
  toMessage(item: unknown): unknown;
}

interface Reader {
  resolve(result: IteratorResult<unknown>): void;
  reject(error: unknown): void;
}

/** The caller's view of a received call, rejected after its deadline. */
export function acceptCall(label: string, call: Call): Call {
  const remaining = call.remainingMs();
  if (remaining <= 0) throw deadlineExceeded(label);
  return receivedCall(call.requestId, call.principal, remaining, call.traceparent, call);
}

/**
 * Items of a server-streaming handler in this process, read one by one. A reader that waits for the next item gets an error
 * immediately when the deadline passes or the caller aborts, even if the handler does not stop.
 *
 * The runtime's `Channel` does not fit: nothing is pushed here, because each item is made when the reader asks for it.
 */
export class LocalStream implements AsyncIterableIterator<unknown> {
  readonly #label: string;
  readonly #call: Call;
  readonly #source: StreamSource;
  #items: AsyncIterator<unknown> | undefined;
  #received: Call | undefined;
  #watch: ReturnType<typeof watchDeadline> | undefined;
  #failure: { error: unknown } | undefined;
  /** Waits for the next item. */
  #reader: Reader | undefined;
  #isDone = false;

  constructor(label: string, call: Call, source: StreamSource) {
    this.#label = label;
    this.#call = call;
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#failure) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#isDone) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      try {
        this.#start();
      } catch (error) {
        this.#finish();
        reject(toAppError(error));
        return;
      }
      this.#reader = { resolve, reject };
      this.#items?.next().then(this.#onItem, this.#onError);
    });
  }

  async return(): Promise<IteratorResult<unknown>> {
    if (!this.#isDone) this.#abandon(callerLeft());
    return { value: undefined, done: true };
  }

  #start(): void {
    if (this.#items) return;
    if (this.#call.isAborted) throw toAppError(this.#call.abortReason);
    this.#received = acceptCall(this.#label, this.#call);
    this.#items = this.#source.open(this.#received)[Symbol.asyncIterator]();
    this.#watch = watchDeadline(this.#call.deadline, () => this.#fail(deadlineExceeded(this.#label)));
    this.#call.onAbort(this.#onAbort);
  }

  readonly #onAbort = (): void => this.#fail(toAppError(this.#call.abortReason));

  /** From outside the handler: deadline or abort. */
  #fail(error: unknown): void {
    if (this.#isDone) return;
    const reader = this.#reader;
    this.#abandon(error);
    if (reader) reader.reject(error);
    else this.#failure = { error };
  }

  #abandon(reason: unknown): void {
    this.#received?.abort(reason);
    void this.#items?.return?.().catch(() => undefined);
    this.#finish();
  }

  /** The handler's answer to the pending `next`; ignored after the stream was abandoned. */
  readonly #onItem = ({ value, done }: IteratorResult<unknown>): void => {
    if (this.#isDone) return;
    let message: unknown;
    try {
      if (!done) message = this.#source.toMessage(value);
    } catch (error) {
      this.#fail(toAppError(error));
      return;
    }
    const reader = this.#reader;
    this.#reader = undefined;
    if (done) this.#finish();
    reader?.resolve({ value: message, done: done === true });
  };

  readonly #onError = (error: unknown): void => {
    if (this.#isDone) return;
    const reader = this.#reader;
    this.#finish();
    reader?.reject(toAppError(error));
  };

  #finish(): void {
    this.#isDone = true;
    this.#reader = undefined;
    if (this.#watch) unwatchDeadline(this.#watch);
    if (this.#items) this.#call.offAbort(this.#onAbort);
  }
}
