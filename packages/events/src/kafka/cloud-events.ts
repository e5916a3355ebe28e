import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { EventRecord, ReceivedEvent } from '../event.js';

/** Headers of CloudEvents 1.0 in Kafka's binary mode; the record's value is the bare protobuf payload. */
export function toHeaders(event: EventRecord): IHeaders {
  return {
    ...event.headers,
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: event.source,
    ce_type: event.type,
    ce_time: event.occurredAt.toISOString(),
    ce_partitionkey: event.key,
    'content-type': 'application/protobuf',
    ...(event.requestId !== undefined && { ce_requestid: event.requestId }),
    // CloudEvents names it so; instrumented consumers look for the plain name.
    ...(event.traceparent !== undefined && { ce_traceparent: event.traceparent, traceparent: event.traceparent }),
  };
}

/** Undefined when the record is no event of ours: an attribute is missing or malformed. */
export function fromMessage(topic: string, partition: number, message: KafkaMessage): ReceivedEvent | undefined {
  const headers = textHeaders(message.headers);
  const { ce_id: id, ce_source: source, ce_type: type, ce_time: time } = headers;
  const occurredAt = new Date(time ?? Number.NaN);
  if (!id || !source || !type || Number.isNaN(occurredAt.getTime()) || message.value === null) return undefined;
  return {
    id,
    source,
    type,
    topic,
    key: message.key?.toString() ?? headers.ce_partitionkey ?? '',
    payload: message.value,
    occurredAt,
    requestId: headers.ce_requestid,
    traceparent: headers.ce_traceparent,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !isAttribute(name))),
    position: `${partition}:${message.offset}`,
  };
}

/** A record that is no event, in the shape of one, so that it can go to the dead-letter topic with its bytes. */
export function strayRecord(topic: string, partition: number, message: KafkaMessage): ReceivedEvent {
  return {
    id: `${topic}-${partition}-${message.offset}`,
    source: '/tollgate/unknown',
    type: 'unknown',
    topic,
    key: message.key?.toString() ?? '',
    payload: message.value ?? Buffer.alloc(0),
    occurredAt: new Date(Number(message.timestamp)),
    headers: textHeaders(message.headers),
    position: `${partition}:${message.offset}`,
  };
}

function isAttribute(name: string): boolean {
  return name.startsWith('ce_') || name === 'content-type' || name === 'traceparent';
}

function textHeaders(headers: IHeaders | undefined): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) result[name] = first.toString();
  }
  return result;
}
