import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { JsonObject } from '@tollgate/runtime/json-object';

/** Who stores a response and may read it: a customer of a project, or the project itself. */
export interface Caller {
  projectId: string;
  /** Null for the project itself. */
  customerId: string | null;
}

export function toCaller({ projectId, customerId }: Pick<Principal, 'projectId' | 'customerId'>): Caller {
  return { projectId, customerId: customerId === '' ? null : customerId };
}

/** A response as it is stored: its items apart from its other members. */
export interface StoredParts {
  responseId: string;
  response: string;
  inputItems: string;
  outputItems: string;
  outputIds: { position: number; itemId: string }[];
  bytes: number;
}

const ID_CHARS_MAX = 256;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether an id can be stored and found again: PostgreSQL keeps neither NUL nor half of a surrogate pair. */
export function isStorableId(id: unknown): id is string {
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARS_MAX) return false;
  return !(id.includes('\0') || LONE_SURROGATE.test(id));
}

/** Splits a response and its request into what is stored. `historyItems` of the input are stored already. */
export function toStoredParts(response: JsonObject, input: unknown, historyItems: number): StoredParts {
  const { output, ...rest } = response;
  const outputItems = Array.isArray(output) ? (output as JsonObject[]) : [];
  const head = JSON.stringify(rest);
  const ownItems = JSON.stringify(toItems(input).slice(historyItems));
  const items = JSON.stringify(outputItems);
  return {
    responseId: String(response.id),
    response: head,
    inputItems: ownItems,
    outputItems: items,
    outputIds: outputItems.flatMap(({ id }, position) => (isStorableId(id) ? [{ position, itemId: id }] : [])),
    bytes: Buffer.byteLength(head) + Buffer.byteLength(ownItems) + Buffer.byteLength(items),
  };
}

/** Returns the input as items: a text is the message of a user. */
export function toItems(input: unknown): unknown[] {
  if (typeof input !== 'string') return Array.isArray(input) ? input : [];
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

/** Joins texts of JSON arrays without reading their elements. */
export function joinArrays(arrays: readonly string[]): string {
  const inner = arrays.map((text) => text.slice(1, -1)).filter((text) => text !== '');
  return `[${inner.join(',')}]`;
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
};

/**
 * Gives each input item the id by which lists page: its own, or one made of the stored response and its position. Items
 * whose own id was seen before get a made one, so that a page never starts twice at the same item.
 */
export function withItemIds(key: string, items: readonly JsonObject[]): (JsonObject & { id: string })[] {
  const seen = new Set<string>();
  return items.map((item, index) => {
    const { type = 'message', id } = item;
    const made = `${prefixes[String(type)] ?? 'item'}_${key.replaceAll('-', '')}_${index}`;
    const own = typeof id === 'string' && id !== '' && !seen.has(id) ? id : made;
    seen.add(own);
    const listed = { ...item, type, id: own };
    if (type !== 'message') return listed;
    const { content } = item;
    const parts = typeof content === 'string' ? [{ type: textType(item.role), text: content }] : content;
    return { ...listed, status: item.status ?? 'completed', content: parts };
  });
}

function textType(role: unknown): string {
  return role === 'assistant' ? 'output_text' : 'input_text';
}
