import type { DescMessage, DescService } from '@bufbuild/protobuf';
import { createMessage } from '@tollgate/contracts/codec';
import { type Call, deadlineExceeded } from '../call.js';
import { unwatchDeadline, watchDeadline } from '../deadlines.js';
import { PeerNotServing } from '../peer-not-serving.js';
import { retryReads } from '../retry-reads.js';
import type { Client, Network, Registration } from '../service.js';
import { traceMethod } from '../traced-calls.js';
import { toAppError, unreachable } from '../wire-errors.js';
import { acceptCall, LocalStream } from './local-stream.js';

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
