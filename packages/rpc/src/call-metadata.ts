import * as grpc from '@grpc/grpc-js';
import { type Call, DEFAULT_TIMEOUT_MS, receivedCall } from './call.js';
import { decodePrincipal, encodePrincipal } from './principal-codec.js';
import { callerLeft } from './wire-errors.js';

const REQUEST_ID = 'x-request-id';
const PRINCIPAL = 'tollgate-principal-bin';
const TRACEPARENT = 'traceparent';

export function toMetadata(call: Call): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(REQUEST_ID, call.requestId);
  if (call.traceparent) metadata.set(TRACEPARENT, call.traceparent);
  const principal = encodePrincipal(call.principal);
  if (principal.length > 0) metadata.set(PRINCIPAL, Buffer.from(principal));
  return metadata;
}

type ServerCall = Pick<grpc.ServerUnaryCall<unknown, unknown>, 'metadata' | 'getDeadline' | 'cancelled'> & {
  on(event: 'cancelled', listener: () => void): unknown;
};

/** The received call; aborted when the peer cancels or its deadline passes. */
export function fromServerCall(serverCall: ServerCall): Call {
  const { metadata } = serverCall;
  const deadline = serverCall.getDeadline();
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  const timeoutMs = Number.isFinite(at) ? at - Date.now() : DEFAULT_TIMEOUT_MS;
  const principal = metadata.get(PRINCIPAL)[0];
  const call = receivedCall(
    String(metadata.get(REQUEST_ID)[0] ?? ''),
    Buffer.isBuffer(principal) ? decodePrincipal(principal) : undefined,
    timeoutMs,
    metadata.get(TRACEPARENT)[0]?.toString(),
  );
  serverCall.on('cancelled', () => call.abort(callerLeft()));
  return call;
}
