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
    // The name in CloudEvents; instrumented consumers read the W3C name.
    ...(event.traceparent !== undefined && { ce_traceparent: event.traceparent, traceparent: event.traceparent }),
  };
}

/** Returns undefined when the record is not one of our events: an attribute is missing or malformed. */
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

/**
 * Wraps a record that is not an event in the form of an event, so that its bytes can be sent to the dead-letter topic.
 */
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
