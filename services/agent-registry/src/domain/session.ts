import type { ToolState } from '@tollgate/tools';

export type JsonObject = Record<string, unknown>;

/** A conversation, without its messages. */
export interface Session {
  id: string;
  projectId: string;
  /** undefined = created without a customer */
  customerId: string | undefined;
  /** Metadata set by clients. */
  metadata: JsonObject;
  /** State of the key-value and task tools; clients see it as `modelrelay.…` keys of the metadata. */
  toolState: ToolState;
  messageCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface SessionMessage {
  id: string;
  seq: number;
  role: string;
  /** JSON of a string, or of an array of content parts. */
  contentJson: string;
  runId: string | undefined;
  createdAt: Date;
}

/** Metadata keys under which clients read the tools' state. */
export const KV_KEY = 'modelrelay.kv';
export const TASKS_KEY = 'modelrelay.tasks';

const RESERVED_PREFIX = 'modelrelay.';

/** Returns a session's metadata as clients see it. */
export function visibleMetadata({ metadata, toolState }: Pick<Session, 'metadata' | 'toolState'>): JsonObject {
  const visible: JsonObject = { ...metadata };
  if (Object.keys(toolState.kv).length > 0) visible[KV_KEY] = toolState.kv;
  if (toolState.tasks.length > 0) visible[TASKS_KEY] = toolState.tasks;
  return visible;
}

export type MetadataChange =
  | { ok: true; metadata: JsonObject; toolState: ToolState }
  | { ok: false; field: string; message: string };

/**
 * Merges a client's change into a session's metadata; null removes a key. Clients can remove the tools' keys but not
 * write them, because a client's value would bypass the tools' limits.
 */
export function changeMetadata(
  { metadata, toolState }: Pick<Session, 'metadata' | 'toolState'>,
  change: JsonObject,
  bytesMax: number,
): MetadataChange {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else if (key.startsWith(RESERVED_PREFIX)) {
      return { ok: false, field: `metadata.${key}`, message: 'is written by the tools and can only be removed' };
    } else merged.set(key, value);
  }
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result)) > bytesMax) {
    return { ok: false, field: 'metadata', message: `must be at most ${bytesMax} bytes of JSON` };
  }
  return { ok: true, metadata: result, toolState: withoutRemoved(toolState, change) };
}

function withoutRemoved({ kv, tasks }: ToolState, change: JsonObject): ToolState {
  return { kv: change[KV_KEY] === null ? {} : kv, tasks: change[TASKS_KEY] === null ? [] : tasks };
}
