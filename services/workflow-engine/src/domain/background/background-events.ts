import { toBackgroundResponseId } from '@tollgate/api/compatible';
import type { JsonObject } from '@tollgate/runtime/json-object';
import type { ReaderEvent } from '../run/run-event.js';
import { toEndedHead } from './background-answer.js';
import { backgroundLimits } from './background-request.js';

// Events of the vendor's stream. Sources: ResponseStreamEvent and ResponseAccumulator of the official `openai` client library 6.49.

/** The end of a stream so far. */
export interface StreamPlace {
  /** Sequence number of its last event. */
  lastEvent: number;
  eventBytes: number;
}

/** The output items of a stream. */
export interface StreamItems {
  /** Those that were started, in all attempts. */
  count: number;
  /** Those that have not ended, as they were started, by their index. */
  open: ReadonlyMap<number, JsonObject>;
}

export const NO_ITEMS: StreamItems = { count: 0, open: new Map() };

/** Types of events with the whole response, after which none follows. */
const LAST_TYPES: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
/** Types of an attempt's events that its response does not repeat: it has started before, and decides itself how it ends. */
const SKIPPED_TYPES: ReadonlySet<string> = new Set(['response.created', 'response.queued', 'error']);

/** Whether no event of a response follows one of this type. */
export function isLastType(type: string): boolean {
  return LAST_TYPES.has(type);
}

/** Returns the events of a response that was accepted, as the vendor's stream starts. */
export function toFirstEvents(responseJson: string): ReaderEvent[] {
  return ['response.created', 'response.queued'].map((type, seq) => toEvent(type, responseJson, seq));
}

/**
 * Returns the event with which the stream of an ended response ends. The vendor has none for a canceled one: the client libraries take
 * the response from any of these events, with its status.
 */
export function toLastEvent(responseJson: string, seq: number): ReaderEvent {
  const { status } = JSON.parse(responseJson) as { status?: unknown };
  const isKnown = status === 'completed' || status === 'failed';
  return toEvent(isKnown ? `response.${status}` : 'response.incomplete', responseJson, seq);
}

function toEvent(type: string, responseJson: string, seq: number): ReaderEvent {
  return { seq, type, json: `{"type":"${type}","response":${responseJson},"sequence_number":${seq}}` };
}

/** Returns the JSON of the response with which the events of an attempt end; undefined for any other event. */
export function readLastResponse({ type, response }: JsonObject): string | undefined {
  return LAST_TYPES.has(String(type)) ? JSON.stringify(response) : undefined;
}

/** Returns the items of a stream after some more of its events. */
export function readItems(before: StreamItems, events: readonly ReaderEvent[]): StreamItems {
  let { count } = before;
  const open = new Map(before.open);
  for (const { type, json } of events) {
    if (type !== 'response.output_item.added' && type !== 'response.output_item.done') continue;
    const { output_index: index, item } = JSON.parse(json) as { output_index: number; item: JsonObject };
    if (type === 'response.output_item.added') open.set(index, item);
    else open.delete(index);
    count = Math.max(count, index + 1);
  }
  return { count, open };
}

/**
 * Returns the events that end the open items of a lost attempt: incomplete, and as empty as they were started, which is how libraries
 * keep them. They refuse a complete response with open items.
 */
export function toItemEnds({ open }: StreamItems, firstSeq: number): ReaderEvent[] {
  const type = 'response.output_item.done';
  return [...open].map(([index, item], i) => {
    const seq = firstSeq + i;
    const event = { type, output_index: index, item: { ...item, status: 'incomplete' }, sequence_number: seq };
    return { seq, type, json: JSON.stringify(event) };
  });
}

/**
 * Converts an event of an attempt, of the response with this UUID. Sequence numbers and output items continue those of lost attempts,
 * so that the stream stays valid for readers that have seen them. A later attempt does not start the response again: libraries would
 * forget the earlier items. Returns undefined for an event that the stream leaves out.
 */
export function toNextEvent(
  event: JsonObject,
  uuid: string,
  seq: number,
  { isFirst, itemsBefore }: { isFirst: boolean; itemsBefore: number },
): ReaderEvent | undefined {
  const type = String(event.type);
  if (SKIPPED_TYPES.has(type) || (type === 'response.in_progress' && !isFirst)) return undefined;
  const next: JsonObject = { ...event, sequence_number: seq };
  if (isObject(event.response)) next.response = toOwnResponse(event.response, uuid);
  if (typeof event.output_index === 'number') next.output_index = event.output_index + itemsBefore;
  return { seq, type, json: JSON.stringify(next) };
}

/** A response from the cache has another id. Its first state repeats no long members of the request. */
function toOwnResponse(response: JsonObject, uuid: string): JsonObject {
  const own = { ...response, id: toBackgroundResponseId(uuid), background: true };
  const bytes = Buffer.byteLength(JSON.stringify(own));
  const short = toEndedHead(own, bytes, backgroundLimits.endedHeadBytes);
  return short === undefined ? own : (JSON.parse(short) as JsonObject);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
