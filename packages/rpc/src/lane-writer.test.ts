import { describe, expect, it } from '@jest/globals';
import { type LaneItem, LaneJoiner, LaneWriter, PART_BYTES_MAX } from './lane-writer.js';

interface Item extends LaneItem {
  name?: string;
}

/** A writer whose messages are collected; `written` acknowledges the oldest unacknowledged one. */
function collect() {
  const messages: Item[][] = [];
  const unwritten: (() => void)[] = [];
  const writer = new LaneWriter<Item>({
    write: (items, written) => {
      messages.push(items);
      unwritten.push(written);
    },
    continuation: (id, payload, more) => ({ id, payload, more }),
  });
  writer.splits = true;
  return { writer, messages, written: () => unwritten.shift()?.() };
}

function bytesOf(items: Item[]): number {
  return items.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
}

const MIB = 1024 * 1024;

describe('LaneWriter', () => {
  it('sends the items of one flush in one message', () => {
    const { writer, messages } = collect();
    for (const id of [1, 2, 3]) writer.push({ id });
    writer.flush();
    expect(messages).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
  });

  it('bounds every message and what is in flight, and sends the rest as the transport writes', () => {
    const { writer, messages, written } = collect();
    const payload = new Uint8Array(200 * 1024);
    for (let id = 0; id < 200; id++) writer.push({ id, payload });
    writer.flush();
    expect(messages.map(bytesOf).reduce((a, b) => a + b)).toBeLessThan(9 * MIB);
    for (let i = 0; i < 100; i++) written();
    expect(messages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, id) => id));
    for (const message of messages) expect(bytesOf(message)).toBeLessThan(4.5 * MIB);
  });

  it('lets small items overtake the parts of large payloads', () => {
    const { writer, messages, written } = collect();
    writer.push({ id: 1, payload: new Uint8Array(22 * MIB) });
    writer.flush();
    expect(messages.map(bytesOf).reduce((a, b) => a + b)).toBeLessThanOrEqual(MIB);
    const before = messages.length;
    writer.push({ id: 2 });
    writer.flush();
    expect(messages[before]?.map(({ id }) => id)).toEqual([2]);
    for (let i = 0; i < 200; i++) written();
    expect(bytesOf(messages.flat())).toBe(22 * MIB);
  });

  it('lets large payloads take turns', () => {
    const { writer, messages, written } = collect();
    for (const id of [1, 2]) writer.push({ id, payload: new Uint8Array(3 * PART_BYTES_MAX) });
    writer.flush();
    for (let i = 0; i < 20; i++) written();
    expect(messages.flat().map(({ id }) => id)).toEqual([1, 2, 1, 2, 1, 2]);
  });

  it('keeps the order of the items of one id', () => {
    const { writer, messages, written } = collect();
    const joiner = new LaneJoiner<Item>();
    writer.push({ id: 1, name: 'large', payload: new Uint8Array(2 * PART_BYTES_MAX + 1) });
    writer.push({ id: 1, name: 'end' });
    writer.flush();
    for (let i = 0; i < 10; i++) written();
    const whole = messages.flat().flatMap((item) => joiner.join(item) ?? []);
    expect(whole.map(({ name, payload }) => [name, payload?.length])).toEqual([
      ['large', 2 * PART_BYTES_MAX + 1],
      ['end', undefined],
    ]);
  });

  it('sends a large payload whole to a peer that does not understand parts', () => {
    const { writer, messages } = collect();
    writer.splits = false;
    writer.push({ id: 1, payload: new Uint8Array(MIB) });
    writer.flush();
    expect(messages).toEqual([[{ id: 1, payload: new Uint8Array(MIB) }]]);
  });

  it('drops what was not sent and says whether that was everything', () => {
    const { writer, written } = collect();
    writer.push({ id: 1 });
    writer.push({ id: 2, payload: new Uint8Array(9 * MIB) });
    expect([...writer.waitingIds()]).toEqual([1, 2]);
    expect(writer.drop(1)).toBe(true);
    writer.flush();
    expect(writer.drop(2)).toBe(false);
    for (let i = 0; i < 10; i++) written();
    expect(writer.waitingIds().size).toBe(0);
    expect(writer.largeBytes).toBe(0);
    expect(writer.drop(3)).toBe(false);
  });
});

describe('LaneJoiner', () => {
  it('puts interleaved parts together byte for byte', () => {
    const joiner = new LaneJoiner<Item>();
    expect(joiner.join({ id: 1, name: 'a', payload: Uint8Array.of(1), more: true })).toBeUndefined();
    expect(joiner.join({ id: 2, name: 'b', payload: Uint8Array.of(7), more: true })).toBeUndefined();
    expect(joiner.join({ id: 1, payload: Uint8Array.of(2) })).toMatchObject({ name: 'a', more: false });
    const whole = joiner.join({ id: 2, payload: Uint8Array.of(8) });
    expect([whole?.name, ...(whole?.payload ?? [])]).toEqual(['b', 7, 8]);
  });

  it('refuses more unfinished bytes than its bound', () => {
    const joiner = new LaneJoiner<Item>();
    const payload = new Uint8Array(64 * MIB);
    const join = () => {
      for (let id = 0; id < 9; id++) joiner.join({ id, payload, more: true });
    };
    expect(join).toThrow(RangeError);
  });
});
