import { randomBytes } from 'node:crypto';
import { missing } from './api/processor-error.js';
import type { ObjectStore } from './objects/object-store.js';
import type { WireEvent, WireObject, WireObjectOf } from './wire.js';

/** The state that every resource of the fake uses. */
export interface ProcessorState {
  store: ObjectStore;
  nowMs(): number;
  /** The address of the fake. */
  baseUrl(): string;
  /** Receives every event, in order. */
  onEvent(event: WireEvent): void;
}

/** The version that our services' client library pins. */
export const API_VERSION = '2026-10-28.endive';

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}

export function seconds(state: ProcessorState): number {
  return Math.floor(state.nowMs() / 1_000);
}

/** `param`: the parameter that named it; `id` for the object that the path is about. */
export function need<Name extends WireObject['object']>(
  state: ProcessorState,
  kind: Name,
  id: string,
  param = 'id',
): WireObjectOf<Name> {
  const found = state.store.get(kind, id);
  if (!found || ('deleted' in found && found.deleted && param !== 'id')) throw missing(kind, id, param);
  return found;
}

/** Records an event; it shows the current state of the object. */
export function emit(state: ProcessorState, type: string, object: WireObject): void {
  const event: WireEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(state),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  state.onEvent(state.store.put(event));
}
