import type { DescMethod } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { methodPath } from './service.js';

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
