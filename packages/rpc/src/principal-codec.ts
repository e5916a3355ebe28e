import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';

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
