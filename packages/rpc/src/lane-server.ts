import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import * as grpc from '@grpc/grpc-js';
import { AppError } from '@tollgate/errors';
import { type Call, receivedCall } from './call.js';
import type { LaneCall, LaneOutbound, LaneReply } from './lane-codec.js';
import { STREAM_WINDOW } from './lane-definition.js';
import { decodePrincipal } from './principal-codec.js';
import type { Registration } from './service.js';
import { methodPath } from './service.js';
import { callerLeft, toErrorDetail } from './wire-errors.js';

interface Method {
  desc: DescMethod;
  handler: Registration['handlers'][string];
}

interface Running {
  call: Call;
  credit: number;
  resume: (() => void) | undefined;
}

/** In-flight calls of one stream; more than this from one peer is refused, not queued. */
const RUNNING_MAX = 10_000;

/** Serves lanes: every item is dispatched like an ordinary call; replies of one event-loop turn leave together. */
export function laneHandler(
  registrations: Registration[],
  inFlight: { count: number },
): grpc.handleBidiStreamingCall<LaneOutbound, LaneReply[]> {
  const methods = new Map<string, Method>();
  for (const r of registrations) {
    for (const desc of r.service.methods) {
      const handler = r.handlers[desc.localName];
      if (handler) methods.set(methodPath(desc), { desc, handler });
    }
  }
  return (stream) => serveLane(stream, methods, inFlight);
}

function serveLane(
  stream: grpc.ServerDuplexStream<LaneOutbound, LaneReply[]>,
  methods: Map<string, Method>,
  inFlight: { count: number },
): void {
  const running = new Map<number, Running>();
  const out = replyBuffer(stream);
  // Callers wait for this before they write, so that what a refused stream would have carried is known not to have left.
  stream.sendMetadata(new grpc.Metadata());
  const finish = (id: number): void => {
    if (running.delete(id)) inFlight.count--;
  };
  const start = (item: LaneCall): void => {
    const method = methods.get(item.method);
    if (!method || running.size >= RUNNING_MAX) {
      const error = method
        ? new AppError('SERVICE_UNAVAILABLE', 'too many calls in flight')
        : new AppError('NOT_FOUND', `no such method ${item.method}`);
      out({ id: item.id, end: true, error: toErrorDetail(error) });
      return;
    }
    const call = receivedCall(
      item.requestId,
      decodePrincipal(item.principal),
      item.timeoutMs,
      item.traceparent || undefined,
    );
    const entry: Running = { call, credit: STREAM_WINDOW, resume: undefined };
    running.set(item.id, entry);
    inFlight.count++;
    const work =
      method.desc.methodKind === 'unary' ? runUnary(method, item, call, out) : runStreaming(method, item, entry, out);
    void work.finally(() => finish(item.id));
  };
  stream.on('data', (message: LaneOutbound) => {
    for (const item of message.calls) start(item);
    for (const id of message.cancels) cancel(running.get(id));
    for (const { id, items } of message.credits) {
      const entry = running.get(id);
      if (!entry) continue;
      entry.credit += items;
      entry.resume?.();
    }
  });
  const drop = (): void => {
    for (const entry of running.values()) cancel(entry);
  };
  stream.on('cancelled', drop);
  stream.on('error', drop);
  stream.on('close', drop);
  stream.on('end', () => stream.end());
}

function cancel(entry: Running | undefined): void {
  entry?.call.abort(callerLeft());
  entry?.resume?.();
}

async function runUnary(method: Method, item: LaneCall, call: Call, out: (reply: LaneReply) => void): Promise<void> {
  try {
    const res = await method.handler(fromBinary(method.desc.input, item.payload), call);
    out({ id: item.id, end: true, payload: toBinary(method.desc.output, create(method.desc.output, res)) });
  } catch (error) {
    out({ id: item.id, end: true, error: toErrorDetail(error) });
  }
}

async function runStreaming(
  method: Method,
  item: LaneCall,
  entry: Running,
  out: (reply: LaneReply) => void,
): Promise<void> {
  try {
    for await (const res of method.handler(fromBinary(method.desc.input, item.payload), entry.call)) {
      if (entry.credit <= 0) await new Promise<void>((resolve) => (entry.resume = resolve));
      entry.resume = undefined;
      if (entry.call.isAborted) break;
      entry.credit--;
      out({ id: item.id, end: false, payload: toBinary(method.desc.output, create(method.desc.output, res)) });
    }
    out({ id: item.id, end: true });
  } catch (error) {
    out({ id: item.id, end: true, error: toErrorDetail(error) });
  }
}

/** Collects replies and writes them once per event-loop turn. */
function replyBuffer(stream: grpc.ServerDuplexStream<LaneOutbound, LaneReply[]>): (reply: LaneReply) => void {
  let pending: LaneReply[] = [];
  const flush = (): void => {
    const replies = pending;
    pending = [];
    if (!stream.destroyed && !stream.cancelled) stream.write(replies);
  };
  return (reply) => {
    if (pending.push(reply) === 1) setImmediate(flush);
  };
}
