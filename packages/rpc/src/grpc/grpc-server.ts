import type { DescMethod } from '@bufbuild/protobuf';
import * as grpc from '@grpc/grpc-js';
import { within } from '@tollgate/runtime';
import { fromServerCall } from '../call-metadata.js';
import { OPEN } from '../lanes/lane-definition.js';
import { LaneServer } from '../lanes/lane-server.js';
import { methodDefinition, type Registration } from '../service.js';
import { traceHandlers } from '../traced-calls.js';
import { toGrpcStatus } from '../wire-errors.js';
import { HEALTH, Health, type NotReadyBecause } from './health.js';
import { serverCredentials, type TlsFiles } from './tls.js';

export interface RpcServerOptions {
  host?: string;
  /** 0 picks a free port. */
  port: number;
  registrations: Registration[];
  tls?: TlsFiles | undefined;
  /** How long running calls may take after `stop()`. */
  drainMs?: number;
  /** Checked by every readiness probe. Default: always ready. */
  notReadyBecause?: NotReadyBecause;
  /** Maximum age of a connection; its running calls finish. */
  connectionAgeMs?: number;
}

export interface RpcServer {
  /** host:port, reachable by clients on this machine. */
  address: string;
  /** Takes no new connections, asks clients to leave, lets running calls finish for up to `drainMs`, then cuts. */
  stop(): Promise<void>;
}

const DRAIN_MS = 20_000;
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
/** Connections end after this long, so that clients look their peers up again and find replicas that came later. */
const CONNECTION_AGE_MS = 5 * 60_000;
/** Longest deadline of a call: on a connection that has ended, calls can finish for as long. */
export const CALL_MS_MAX = 65 * 60_000;

/** Serves services over gRPC: plain unary and server-streaming forms, lanes, and the standard health service. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CALL_MS_MAX,
  });
  const serviceNames = options.registrations.map((r) => r.service.typeName);
  const health = new Health(serviceNames, options.notReadyBecause);
  const registrations = options.registrations.map(traceHandlers);
  for (const registration of registrations) addService(server, registration);
  const lanes = new LaneServer(registrations);
  server.addService({ open: OPEN } as grpc.ServiceDefinition, { open: lanes.open });
  server.addService(HEALTH, health.handlers);
  const host = options.host ?? '127.0.0.1';
  const port = await bind(server, `${host}:${options.port}`, serverCredentials(options.tls));
  return {
    address: `${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
    stop: async () => {
      health.setServing(false);
      lanes.drain();
      health.close();
      await shutDown(server, options.drainMs ?? DRAIN_MS);
    },
  };
}

function addService(server: grpc.Server, { service, handlers }: Registration): void {
  const definition: Record<string, grpc.MethodDefinition<unknown, unknown>> = {};
  const implementation: Record<string, grpc.UntypedHandleCall> = {};
  for (const method of service.methods) {
    const handler = handlers[method.localName];
    if (!handler) continue;
    definition[method.localName] = methodDefinition(method);
    implementation[method.localName] = serveMethod(method, handler);
  }
  server.addService(definition, implementation);
}

function serveMethod({ methodKind }: DescMethod, handler: Registration['handlers'][string]): grpc.UntypedHandleCall {
  if (methodKind === 'unary') return unary(handler);
  return methodKind === 'bidi_streaming' ? bidi(handler) : streaming(handler);
}

function bidi(handler: Registration['handlers'][string]): grpc.handleBidiStreamingCall<unknown, unknown> {
  return (stream) => {
    const call = fromServerCall(stream);
    // The end of the requests must not end the answers.
    void pump(stream, () => handler(stream.iterator({ destroyOnReturn: false }), call));
  };
}

function unary(handler: Registration['handlers'][string]): grpc.handleUnaryCall<unknown, unknown> {
  return (serverCall, callback) => {
    const call = fromServerCall(serverCall);
    Promise.resolve()
      .then(() => handler(serverCall.request, call))
      .then(
        (res) => callback(null, res),
        (error: unknown) => callback(toGrpcStatus(error)),
      );
  };
}

function streaming(handler: Registration['handlers'][string]): grpc.handleServerStreamingCall<unknown, unknown> {
  return (stream) => {
    const call = fromServerCall(stream);
    void pump(stream, () => handler(stream.request, call));
  };
}

async function pump(
  stream: grpc.ServerWritableStream<unknown, unknown> | grpc.ServerDuplexStream<unknown, unknown>,
  open: () => AsyncIterable<unknown>,
): Promise<void> {
  try {
    for await (const item of open()) {
      if (stream.cancelled || stream.destroyed) break;
      if (!stream.write(item)) await writable(stream);
    }
    stream.end();
  } catch (error) {
    stream.emit('error', toGrpcStatus(error));
  }
}

function writable(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close', 'cancelled']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'cancelled']) stream.once(event, done);
  });
}

function bind(server: grpc.Server, address: string, credentials: grpc.ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

/** A lane ends when its client has ended it, so calls that are still on their way to the server are answered as well. */
async function shutDown(server: grpc.Server, drainMs: number): Promise<void> {
  await within(new Promise<void>((resolve) => server.tryShutdown(() => resolve())), drainMs);
  server.forceShutdown();
}
