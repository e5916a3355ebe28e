import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { type Call, CallLimits, deadlineExceeded } from '../call.js';
import { toMetadata } from '../call-metadata.js';
import { Lane } from '../lanes/lane-client.js';
import { retryReads } from '../retry-reads.js';
import { type Client, methodDefinition, methodPath, type Network } from '../service.js';
import { traceMethod } from '../traced-calls.js';
import { fromGrpcError, toAppError } from '../wire-errors.js';
import { checkPeer } from './health.js';
import { openClient } from './open-client.js';
import { clientCredentials, type TlsFiles } from './tls.js';

export interface GrpcNetworkOptions {
  /** host:port per service type name or proto package, for example `tollgate.billing.v1`. */
  addresses: Record<string, string>;
  tls?: TlsFiles | undefined;
  /** Paths of the methods whose calls use a lane, `/tollgate.billing.v1.BillingService/Admit`. Default: HOT_METHODS. */
  hot?: ReadonlySet<string>;
}

/**
 * Calls of the request path. Every model request makes each of them once, except Release, which replaces Settle, and
 * RecordProgress, which long requests repeat: thousands of streams do so at the same time.
 */
export const HOT_METHODS: ReadonlySet<string> = new Set([
  '/tollgate.billing.v1.BillingService/Admit',
  '/tollgate.billing.v1.BillingService/Settle',
  '/tollgate.billing.v1.BillingService/Release',
  '/tollgate.billing.v1.BillingService/RecordProgress',
  '/tollgate.inference.v1.InferenceService/Generate',
]);

/** Of the hot methods, those that have one effect per hold id, however often they arrive. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set([
  '/tollgate.billing.v1.BillingService/Admit',
  '/tollgate.billing.v1.BillingService/Settle',
  '/tollgate.billing.v1.BillingService/Release',
  '/tollgate.billing.v1.BillingService/RecordProgress',
]);

const CHECK_TIMEOUT_MS = 1_500;
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
const CHANNEL: grpc.ClientOptions = {
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // A replica that has left or joined is noticed at the next connection, not up to half a minute later.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
};
const CALLS_CHANNEL: grpc.ClientOptions = {
  ...CHANNEL,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};
/** A connection of its own, to any one of the replicas. */
const LANE_CHANNEL: grpc.ClientOptions = {
  ...CHANNEL,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ pick_first: { shuffleAddressList: true } }] }),
};

/** Clients over gRPC: per address one channel for ordinary calls and one lane with connections of its own. */
export class GrpcNetwork implements Network {
  readonly #options: GrpcNetworkOptions;
  readonly #channels = new Map<string, { client: grpc.Client; lane: Lane }>();

  constructor(options: GrpcNetworkOptions) {
    this.#options = options;
  }

  client<S extends DescService>(service: S): Client<S> {
    const { addresses } = this.#options;
    const address = addresses[service.typeName] ?? addresses[service.file.proto.package];
    if (!address) throw new Error(`no address configured for ${service.typeName}`);
    const { client, lane } = this.#channel(address);
    const hot = this.#options.hot ?? HOT_METHODS;
    const out: Record<string, unknown> = {};
    for (const method of service.methods) {
      const isHot = hot.has(methodPath(method));
      if (method.methodKind === 'unary') {
        out[method.localName] = traceMethod(
          method,
          'client',
          isHot ? (req, call) => lane.unary(method, req, call) : retryReads(method, unaryCaller(client, method)),
        );
      } else if (method.methodKind === 'server_streaming') {
        out[method.localName] = traceMethod(
          method,
          'client',
          isHot ? (req, call) => lane.streaming(method, req, call) : streamingCaller(client, method),
        );
      } else if (method.methodKind === 'bidi_streaming') {
        out[method.localName] = traceMethod(method, 'client', bidiCaller(client, method));
      }
    }
    return out as Client<S>;
  }

  async check(protoPackage: string): Promise<void> {
    const address = this.#options.addresses[protoPackage];
    if (!address) throw new Error(`no address configured for ${protoPackage}`);
    await checkPeer(this.#channel(address).client, CHECK_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    for (const { client, lane } of this.#channels.values()) {
      lane.close();
      client.close();
    }
    this.#channels.clear();
  }

  #channel(address: string): { client: grpc.Client; lane: Lane } {
    let channel = this.#channels.get(address);
    if (!channel) {
      const credentials = clientCredentials(this.#options.tls);
      const client = openClient(address, credentials, CALLS_CHANNEL);
      const lane = new Lane({
        connect: () => openClient(address, credentials, LANE_CHANNEL),
        isRepeatable: (method) => REPEATABLE_METHODS.has(methodPath(method)),
      });
      channel = { client, lane };
      this.#channels.set(address, channel);
    }
    return channel;
  }
}

function unaryCaller(
  client: grpc.Client,
  method: DescMethod,
): (req: Record<string, unknown>, call: Call) => Promise<unknown> {
  const definition = methodDefinition(method);
  const label = methodPath(method);
  return (req, call) =>
    new Promise((resolve, reject) => {
      if (call.remainingMs() <= 0) return reject(deadlineExceeded(label));
      if (call.isAborted) return reject(toAppError(call.abortReason));
      const rpc = client.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        req,
        toMetadata(call),
        (error, res) => {
          limits.end();
          if (error) reject(limits.failure ?? fromGrpcError(error, label));
          else resolve(res);
        },
      );
      const limits = new CallLimits(call, label, () => rpc.cancel());
    });
}

function streamingCaller(
  client: grpc.Client,
  method: DescMethod,
): (req: Record<string, unknown>, call: Call) => AsyncIterable<unknown> {
  const definition = methodDefinition(method);
  const label = methodPath(method);
  return async function* (req, call) {
    if (call.remainingMs() <= 0) throw deadlineExceeded(label);
    const stream = client.makeServerStreamRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      req,
      toMetadata(call),
    );
    const limits = new CallLimits(call, label, () => stream.cancel());
    try {
      for await (const item of stream) yield item;
    } catch (error) {
      throw limits.failure ?? fromGrpcError(error as grpc.ServiceError, label);
    } finally {
      limits.end();
      stream.on('error', () => {}); // the cancellation of a left stream reports itself as an error
      stream.cancel();
    }
  };
}

type Bidi = grpc.ClientDuplexStream<unknown, unknown>;

/**
 * Returns the client of a bidirectional method. Requests are read from their iterable one by one, as fast as the connection
 * takes them; leaving the loop over the answers cancels the call and ends the iterable.
 */
export function bidiCaller(
  client: grpc.Client,
  method: DescMethod,
): (requests: AsyncIterable<unknown>, call: Call) => AsyncIterable<unknown> {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
  const label = methodPath(method);
  return async function* (requests, call) {
    if (call.remainingMs() <= 0) throw deadlineExceeded(label);
    if (call.isAborted) throw toAppError(call.abortReason);
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, toMetadata(call));
    const limits = new CallLimits(call, label, () => stream.cancel());
    const items = requests[Symbol.asyncIterator]();
    void send(stream, items);
    try {
      for await (const item of stream) yield item;
    } catch (error) {
      throw limits.failure ?? fromGrpcError(error as grpc.ServiceError, label);
    } finally {
      limits.end();
      stream.on('error', () => {}); // the cancellation of a left stream reports itself as an error
      stream.cancel();
      void Promise.resolve(items.return?.()).catch(() => undefined);
    }
  };
}

/** Writes the requests until they end, or the call does. */
async function send(stream: Bidi, items: AsyncIterator<unknown>): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await items.next();
      if (stream.destroyed || stream.writableEnded) return;
      if (done) break;
      if (!stream.write(value)) await writable(stream);
    }
    stream.end();
  } catch {
    stream.cancel();
  }
}

function writable(stream: Bidi): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.once(event, done);
  });
}
