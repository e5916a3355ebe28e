import * as grpc from '@grpc/grpc-js';
import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { systemClock } from '@tollgate/runtime';
import { type Call, DEFAULT_TIMEOUT_MS, receivedCall } from './call.js';
import { callerLeft } from './wire-errors.js';

/** The time limit of gRPC's protocol, in its form `<digits>m` for milliseconds. */
const GRPC_TIMEOUT = 'grpc-timeout';
const GRPC_TIMEOUT_MS_MAX = 99_999_999;
/** The same in plain milliseconds: grpc-js takes `grpc-timeout` out of the metadata and offers a wall-clock deadline instead. */
const TIMEOUT_MS = 'tollgate-timeout-ms';
const REQUEST_ID = 'x-request-id';
const PRINCIPAL = 'tollgate-principal-bin';
const TRACEPARENT = 'traceparent';

export function toMetadata(call: Call): grpc.Metadata {
  const metadata = new grpc.Metadata();
  const timeoutMs = Math.min(GRPC_TIMEOUT_MS_MAX, Math.max(1, call.remainingMs()));
  metadata.set(GRPC_TIMEOUT, `${timeoutMs}m`);
  metadata.set(TIMEOUT_MS, String(timeoutMs));
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
  const principal = metadata.get(PRINCIPAL)[0];
  const call = receivedCall(
    String(metadata.get(REQUEST_ID)[0] ?? ''),
    Buffer.isBuffer(principal) ? decodePrincipal(principal) : undefined,
    readTimeoutMs(serverCall),
    metadata.get(TRACEPARENT)[0]?.toString(),
  );
  serverCall.on('cancelled', () => call.abort(callerLeft()));
  return call;
}

/** Returns the caller's time limit. Foreign callers, and those of earlier versions, send only `grpc-timeout`, or none. */
function readTimeoutMs(serverCall: ServerCall): number {
  const sent = String(serverCall.metadata.get(TIMEOUT_MS)[0] ?? '');
  if (/^\d{1,8}$/.test(sent)) return Number(sent);
  const deadline = serverCall.getDeadline();
  const atMs = deadline instanceof Date ? deadline.getTime() : deadline;
  return Number.isFinite(atMs) ? atMs - systemClock.nowMs() : DEFAULT_TIMEOUT_MS;
}

/** A principal is made once per credential and sent with every call: both directions are cached. */
const ENTRIES_MAX = 4096;
const encoded = new WeakMap<Principal, Uint8Array>();
const decoded = new Map<string, Principal>();
const NOTHING = new Uint8Array(0);

export function encodePrincipal(principal: Principal | undefined): Uint8Array {
  if (!principal) return NOTHING;
  let bytes = encoded.get(principal);
  if (!bytes) {
    bytes = encodeMessage(PrincipalSchema, principal);
    encoded.set(principal, bytes);
  }
  return bytes;
}

/** The decoded object is shared between calls; treat it as frozen. */
export function decodePrincipal(bytes: Uint8Array): Principal | undefined {
  if (bytes.length === 0) return undefined;
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let principal = decoded.get(key);
  if (!principal) {
    principal = decodeMessage(PrincipalSchema, bytes);
    if (decoded.size >= ENTRIES_MAX) decoded.clear();
    decoded.set(key, principal);
  }
  return principal;
}
