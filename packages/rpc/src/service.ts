import type {
  DescMessage,
  DescMethod,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import type { Call } from './call.js';

type MethodsOf<S extends DescService> = S['method'];

export type UnaryHandler<I extends DescMessage, O extends DescMessage> = (
  req: MessageShape<I>,
  call: Call,
) => Promise<MessageInitShape<O>> | MessageInitShape<O>;

export type StreamHandler<I extends DescMessage, O extends DescMessage> = (
  req: MessageShape<I>,
  call: Call,
) => AsyncIterable<MessageInitShape<O>>;

export type BidiHandler<I extends DescMessage, O extends DescMessage> = (
  requests: AsyncIterable<MessageShape<I>>,
  call: Call,
) => AsyncIterable<MessageInitShape<O>>;

/**
 * The implementation of a service: one function per RPC. Streaming RPCs return an async iterable; bidirectional ones also
 * take one, whose items are read one by one, so that a slow handler stops its caller.
 */
export type Handlers<S extends DescService> = {
  [K in keyof MethodsOf<S>]: MethodsOf<S>[K] extends DescMethodUnary<infer I, infer O>
    ? UnaryHandler<I, O>
    : MethodsOf<S>[K] extends DescMethodServerStreaming<infer I, infer O>
      ? StreamHandler<I, O>
      : MethodsOf<S>[K] extends DescMethodBiDiStreaming<infer I, infer O>
        ? BidiHandler<I, O>
        : never;
};

/** A client of a service; the same over every transport. Leaving a stream's loop cancels the call. */
export type Client<S extends DescService> = {
  [K in keyof MethodsOf<S>]: MethodsOf<S>[K] extends DescMethodUnary<infer I, infer O>
    ? (req: MessageInitShape<I>, call: Call) => Promise<MessageShape<O>>
    : MethodsOf<S>[K] extends DescMethodServerStreaming<infer I, infer O>
      ? (req: MessageInitShape<I>, call: Call) => AsyncIterable<MessageShape<O>>
      : MethodsOf<S>[K] extends DescMethodBiDiStreaming<infer I, infer O>
        ? (requests: AsyncIterable<MessageInitShape<I>>, call: Call) => AsyncIterable<MessageShape<O>>
        : never;
};

/** Creates clients: for direct calls in one process, or for gRPC. */
export interface Network {
  client<S extends DescService>(service: S): Client<S>;
  /** Resolves while the services of the proto package take calls. @throws PeerNotServing, or the error of the network */
  check(protoPackage: string): Promise<void>;
  close(): Promise<void>;
}

export interface Registration {
  service: DescService;
  // biome-ignore lint/suspicious/noExplicitAny: the typed pair is checked where it is made, in register()
  handlers: Record<string, (req: any, call: Call) => any>;
}

/** Pairs a service with its implementation; the only place where the two are checked against each other. */
export function register<S extends DescService>(service: S, handlers: Handlers<S>): Registration {
  for (const method of service.methods) {
    if (method.methodKind === 'client_streaming') continue;
    if (!(method.localName in handlers)) throw new Error(`${service.typeName}.${method.name} has no handler`);
  }
  return { service, handlers: handlers as Registration['handlers'] };
}

export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** A protobuf descriptor as a grpc-js method definition. Serializers take init objects as well as messages. */
export function methodDefinition(method: DescMethod): grpc.MethodDefinition<unknown, unknown> {
  return {
    path: methodPath(method),
    requestStream: method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind !== 'unary',
    requestSerialize: (message) => encodeMessage(method.input, message as Record<string, unknown>),
    requestDeserialize: (bytes) => decodeMessage(method.input, bytes),
    responseSerialize: (message) => encodeMessage(method.output, message as Record<string, unknown>),
    responseDeserialize: (bytes) => decodeMessage(method.output, bytes),
  };
}

/** Thrown for a peer that is reachable but accepts no calls. */
export class PeerNotServing extends Error {
  override readonly name = 'PeerNotServing';

  /** @param healthReason why, in words that may be shown to anyone */
  constructor(readonly healthReason: string) {
    super(healthReason);
  }
}
