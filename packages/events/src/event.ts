import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decodeMessage, encodeMessage } from '@tollgate/contracts/codec';
import { newOrderedId, systemClock } from '@tollgate/runtime';

/** One kind of event: its name, the topic it travels on, and the protobuf message that is its payload. */
export interface EventDefinition<Desc extends DescMessage = DescMessage> {
  /** `noun.past_tense`; becomes `ce_type`. */
  readonly type: string;
  readonly topic: string;
  readonly message: Desc;
}

/** An event as its producer writes it to the outbox. */
export interface OutboxEvent {
  /** Stable identity; consumers deduplicate by it. */
  id: string;
  topic: string;
  /** Events with the same key stay in order: an account or aggregate id. */
  key: string;
  type: string;
  /** The protobuf message. */
  payload: Uint8Array;
  occurredAt: Date;
  requestId?: string | undefined;
  /** W3C trace context of the operation that caused the event. */
  traceparent?: string | undefined;
}

/** An event in transit: the row of the outbox and its source. */
export interface EventRecord extends OutboxEvent {
  /** `ce_source`: the producing service, such as `/tollgate/billing-ledger`. */
  source: string;
  /** Further headers; dead letters carry their reason here. */
  headers?: Record<string, string> | undefined;
}

/** An event as a consumer receives it. */
export interface ReceivedEvent extends EventRecord {
  headers: Record<string, string>;
  /** Position in the transport (`partition:offset`); for logs. */
  position: string;
}

export interface NewEvent<Desc extends DescMessage> {
  key: string;
  message: MessageInitShape<Desc>;
  /** Default: a new time-ordered UUID. Give one when the id has to be the same on every attempt. */
  id?: string;
  /** Default: now. */
  occurredAt?: Date;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** Builds the outbox row of an event of the given kind. */
export function newEvent<Desc extends DescMessage>(
  definition: EventDefinition<Desc>,
  event: NewEvent<Desc>,
): OutboxEvent {
  return {
    id: event.id ?? newOrderedId(),
    topic: definition.topic,
    key: event.key,
    type: definition.type,
    payload: encodeMessage(definition.message, event.message),
    occurredAt: event.occurredAt ?? systemClock.now(),
    requestId: event.requestId,
    traceparent: event.traceparent,
  };
}

/**
 * The payload of a received event. Fields that this build does not know are kept in the message.
 *
 * @throws Error when the event is of another type or its bytes are not a valid message: retrying cannot help.
 */
export function decodeEvent<Desc extends DescMessage>(
  definition: EventDefinition<Desc>,
  event: Pick<OutboxEvent, 'type' | 'payload'>,
): MessageShape<Desc> {
  requireType(definition, event);
  return decodeMessage(definition.message, event.payload);
}

/**
 * Returns one text of a received event without decoding its message, for consumers that need few of the events.
 *
 * @throws Error when the event is of another type or its bytes are not a valid message
 */
export function readEventText(
  definition: EventDefinition,
  event: Pick<OutboxEvent, 'type' | 'payload'>,
  field: string,
): string {
  let text = '';
  readField({ definition, event, field, type: WireType.LengthDelimited }, (reader) => {
    text = reader.string();
  });
  return text;
}

/** Returns one flag of a received event, as {@link readEventText} does. */
export function readEventFlag(
  definition: EventDefinition,
  event: Pick<OutboxEvent, 'type' | 'payload'>,
  field: string,
): boolean {
  let flag = false;
  readField({ definition, event, field, type: WireType.Varint }, (reader) => {
    flag = reader.bool();
  });
  return flag;
}

interface FieldOfEvent {
  definition: EventDefinition;
  event: Pick<OutboxEvent, 'type' | 'payload'>;
  field: string;
  type: WireType;
}

/** Calls `read` at each value of a field. */
function readField({ definition, event, field, type }: FieldOfEvent, read: (reader: BinaryReader) => void): void {
  requireType(definition, event);
  const { number } = definition.message.field[field] ?? {};
  if (number === undefined) throw new Error(`An event ${definition.type} has no field ${field}`);
  const reader = new BinaryReader(event.payload);
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    if (no === number && wireType === type) read(reader);
    else if (wireType === WireType.LengthDelimited) skipBytes(reader);
    else reader.skip(wireType, no);
  }
  if (reader.pos > reader.len) throw new RangeError('the message ends within a field');
}

/** As the reader's `skip`, which also makes a view of the bytes. */
function skipBytes(reader: BinaryReader): void {
  const length = reader.uint32();
  reader.pos += length;
}

function requireType(definition: EventDefinition, event: Pick<OutboxEvent, 'type'>): void {
  if (event.type !== definition.type) throw new Error(`Expected an event ${definition.type}, got ${event.type}`);
}
