import { create, type DescMessage, type DescService } from '@bufbuild/protobuf';
import { AppError } from '@tollgate/errors';
import { type Call, deadlineExceeded, receivedCall } from './call.js';
import { unwatchDeadline, watchDeadline } from './deadlines.js';
import type { Client, Network, Registration } from './service.js';
import { toAppError } from './wire-errors.js';

type AnyHandler = Registration['handlers'][string];

/**
 * All services in one process: a client's method calls the handler directly. No codec, no socket; deadlines,
 * cancellation and errors behave as over the wire. Handlers may be registered after clients were made.
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
        if (!handler) throw new AppError('SERVICE_UNAVAILABLE', `${service.typeName} is not running`);
        return handler;
      };
      if (method.methodKind === 'unary') {
        out[name] = (req: Record<string, unknown>, call: Call) =>
          callUnary(find, label, method.input, method.output, req, call);
      } else if (method.methodKind === 'server_streaming') {
        out[name] = (req: Record<string, unknown>, call: Call) =>
          callStreaming(find, label, method.input, method.output, req, call);
      }
    }
    return out as Client<S>;
  }

  async close(): Promise<void> {
    this.#handlers.clear();
  }
}

function accept(label: string, call: Call): Call {
  const remaining = call.remainingMs();
  if (remaining <= 0) throw deadlineExceeded(label);
  return receivedCall(call.requestId, call.principal, remaining, call.traceparent, call);
}

function callUnary(
  find: () => AnyHandler,
  label: string,
  input: DescMessage,
  output: DescMessage,
  req: Record<string, unknown>,
  call: Call,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let received: Call;
    let handler: AnyHandler;
    try {
      handler = find();
      received = accept(label, call);
    } catch (error) {
      reject(error);
      return;
    }
    const watch = watchDeadline(call.deadline, () => {
      const error = deadlineExceeded(label);
      received.abort(error);
      reject(error);
    });
    run(handler, create(input, req), received).then(
      (res) => {
        unwatchDeadline(watch);
        resolve(create(output, res as Record<string, unknown>));
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

/**
 * Reads the handler's items one by one. A reader waiting for the next item is told at once when the deadline passes or
 * the caller is aborted, whether or not the handler notices.
 */
function callStreaming(
  find: () => AnyHandler,
  label: string,
  input: DescMessage,
  output: DescMessage,
  req: Record<string, unknown>,
  call: Call,
): AsyncIterable<unknown> {
  let open: { items: AsyncIterator<unknown>; received: Call; close: () => void } | undefined;
  let failed: unknown;
  let rejectWaiting: ((error: unknown) => void) | undefined;
  let isDone = false;

  const fail = (error: unknown): void => {
    if (isDone) return;
    isDone = true;
    open?.received.abort(error);
    open?.close();
    void open?.items.return?.().catch(() => undefined);
    if (rejectWaiting) rejectWaiting(error);
    else failed = error;
  };
  const start = (): NonNullable<typeof open> => {
    const received = accept(label, call);
    const watch = watchDeadline(call.deadline, () => fail(deadlineExceeded(label)));
    const { signal } = call;
    const onAbort = (): void => fail(toAppError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    const close = (): void => {
      unwatchDeadline(watch);
      signal.removeEventListener('abort', onAbort);
    };
    const items = (find()(create(input, req), received) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    return { items, received, close };
  };
  const iterator: AsyncIterableIterator<unknown> = {
    next: () =>
      new Promise((resolve, reject) => {
        if (failed !== undefined) {
          const error = failed;
          failed = undefined;
          return reject(error);
        }
        if (isDone) return resolve({ value: undefined, done: true });
        try {
          if (call.isAborted) throw toAppError(call.signal.reason);
          open ??= start();
        } catch (error) {
          isDone = true;
          return reject(toAppError(error));
        }
        rejectWaiting = reject;
        open.items.next().then(
          (result) => {
            rejectWaiting = undefined;
            if (isDone) return;
            if (result.done) {
              isDone = true;
              open?.close();
              resolve({ value: undefined, done: true });
            } else resolve({ value: create(output, result.value as Record<string, unknown>), done: false });
          },
          (error: unknown) => {
            rejectWaiting = undefined;
            if (isDone) return;
            isDone = true;
            open?.close();
            reject(toAppError(error));
          },
        );
      }),
    return: async () => {
      if (!isDone) {
        isDone = true;
        open?.received.abort(new AppError('RELAY_TIMEOUT', 'the reader left the stream'));
        open?.close();
        void open?.items.return?.().catch(() => undefined);
      }
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
