import { create, type DescMessage, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { methodPath } from './service.js';

/** A protobuf descriptor as a grpc-js method definition. Serializers take init objects as well as messages. */
export function methodDefinition(method: DescMethod): grpc.MethodDefinition<unknown, unknown> {
  return {
    path: methodPath(method),
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: serializer(method.input),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: serializer(method.output),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

function serializer(desc: DescMessage): (message: unknown) => Buffer {
  return (message) => {
    const bytes = toBinary(desc, create(desc, message as Record<string, unknown>));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}
