import { describe, expect, it } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';
import type { EventRecord } from '../event.js';
import { fromMessage, toHeaders } from './cloud-events.js';

const event: EventRecord = {
  id: '018bcfe5-6800-7000-8000-000000000001',
  source: '/tollgate/billing-ledger',
  type: 'usage.recorded',
  topic: 'tollgate.usage.v1',
  key: 'account-1',
  payload: Buffer.from('bytes'),
  occurredAt: new Date('2025-03-04T05:06:07.089Z'),
  requestId: 'req-1',
};

function message(headers: KafkaMessage['headers'], value: Buffer | null = Buffer.from('bytes')): KafkaMessage {
  return { key: Buffer.from('account-1'), value, headers: headers ?? {}, offset: '7', timestamp: '0', attributes: 0 };
}

describe('CloudEvents over Kafka', () => {
  it('uses the binary mode: attributes in ce_ headers, the value is the bare message', () => {
    expect(toHeaders(event)).toEqual({
      ce_specversion: '1.0',
      ce_id: '018bcfe5-6800-7000-8000-000000000001',
      ce_source: '/tollgate/billing-ledger',
      ce_type: 'usage.recorded',
      ce_time: '2025-03-04T05:06:07.089Z',
      ce_partitionkey: 'account-1',
      ce_requestid: 'req-1',
      'content-type': 'application/protobuf',
    });
  });

  it('reads back what it wrote', () => {
    const headers = Object.fromEntries(
      Object.entries(toHeaders(event)).map(([name, value]) => [name, Buffer.from(`${value}`)]),
    );
    const expected = { ...event, traceparent: undefined, headers: {}, position: '3:7' };
    expect(fromMessage(event.topic, 3, message(headers))).toEqual(expected);
  });

  it('carries the trace under the names of CloudEvents and of W3C', () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const headers = toHeaders({ ...event, traceparent });
    expect(headers).toMatchObject({ ce_traceparent: traceparent, traceparent });
    expect(fromMessage(event.topic, 3, message(headers))).toMatchObject({ traceparent, headers: {} });
  });

  it.each(['ce_id', 'ce_source', 'ce_type', 'ce_time'])('does not treat a record without %s as an event', (name) => {
    const { [name]: _, ...headers } = toHeaders(event);
    expect(fromMessage(event.topic, 0, message(headers))).toBeUndefined();
  });

  it('does not treat a tombstone as an event', () => {
    expect(fromMessage(event.topic, 0, message(toHeaders(event), null))).toBeUndefined();
  });
});
