import { describe, expect, it } from '@jest/globals';
import { type LaneItem, PART_BYTES_MAX } from './lane-flow.js';
import { LaneJoiner } from './lane-joiner.js';
import { LaneWriter } from './lane-writer.js';

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
  const writeAll = (): void => {
    while (unwritten.length > 0) unwritten.shift()?.();
  };
  return { writer, messages, writeAll };
}

function countBytes(items: Item[]): number {
  return items.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
}

function toIds(messages: Item[][]): number[] {
  return messages.flat().map(({ id }) => id);
}

const MIB = 1024 * 1024;
const ROOM = 256 * 1024;

describe('LaneWriter', () => {
  it('sends the items of one flush in one message', () => {
    const { writer, messages } = collect();
    for (const id of [1, 2, 3]) writer.push({ id });
    writer.flush();
    expect(messages).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
  });

  it('bounds what is in flight, and sends the rest in order as the transport writes', () => {
    const { writer, messages, writeAll } = collect();
    const payload = new Uint8Array(10 * 1024);
    for (let id = 0; id < 200; id++) writer.push({ id, payload });
    writer.flush();
    expect(countBytes(messages.flat())).toBeLessThanOrEqual(ROOM + 16 * 1024);
    writeAll();
    expect(toIds(messages)).toEqual(Array.from({ length: 200 }, (_, id) => id));
  });

  it("sends another flow's item next, however much one flow has waiting", () => {
    const { writer, messages, writeAll } = collect();
    for (let id = 1; id <= 10_000; id++) writer.push({ id, flow: 'busy' });
    writer.flush();
    writer.push({ id: 0, flow: 'small' });
    const before = toIds(messages).length;
    writeAll();
    expect(toIds(messages).indexOf(0) - before).toBeLessThan(100);
    expect(toIds(messages)).toHaveLength(10_001);
  });

  it('lets small items overtake the parts of large payloads', () => {
    const { writer, messages, writeAll } = collect();
    writer.push({ id: 1, payload: new Uint8Array(22 * MIB) });
    writer.flush();
    expect(countBytes(messages.flat())).toBeLessThanOrEqual(ROOM + PART_BYTES_MAX);
    const before = toIds(messages).length;
    writer.push({ id: 2 });
    writeAll();
    expect(toIds(messages).indexOf(2) - before).toBeLessThan(2);
    expect(countBytes(messages.flat())).toBe(22 * MIB);
  });

  it('lets large payloads of one flow take turns', () => {
    const { writer, messages, writeAll } = collect();
    for (const id of [1, 2]) writer.push({ id, payload: new Uint8Array(3 * PART_BYTES_MAX) });
    writer.flush();
    writeAll();
    expect(toIds(messages)).toEqual([1, 2, 1, 2, 1, 2]);
  });

  it('keeps the order of the items of one id', () => {
    const { writer, messages, writeAll } = collect();
    const joiner = new LaneJoiner<Item>();
    for (let id = 10; id < 5_000; id++) writer.push({ id });
    writer.push({ id: 1, name: 'first' });
    writer.push({ id: 1, name: 'large', payload: new Uint8Array(2 * PART_BYTES_MAX + 1) });
    writer.push({ id: 1, name: 'end' });
    writer.flush();
    writeAll();
    const whole = messages.flat().flatMap((item) => joiner.join(item) ?? []);
    expect(whole.filter(({ id }) => id === 1).map(({ name, payload }) => [name, payload?.length])).toEqual([
      ['first', undefined],
      ['large', 2 * PART_BYTES_MAX + 1],
      ['end', undefined],
    ]);
  });

  it('sends a large payload whole to a peer that does not put parts together', () => {
    const { writer, messages } = collect();
    writer.splits = false;
    writer.push({ id: 1, payload: new Uint8Array(MIB) });
    writer.flush();
    expect(messages).toEqual([[{ id: 1, payload: new Uint8Array(MIB) }]]);
  });

  it('drops the unsent items and returns whether nothing was sent', () => {
    const { writer, writeAll } = collect();
    writer.push({ id: 1 });
    writer.push({ id: 2, payload: new Uint8Array(9 * MIB) });
    expect([...writer.waitingIds()].sort()).toEqual([1, 2]);
    expect(writer.drop(1)).toBe(true);
    writer.flush();
    expect(writer.drop(2)).toBe(false);
    writeAll();
    expect(writer.waitingIds().size).toBe(0);
    expect(writer.largeBytes).toBe(0);
    expect(writer.drop(3)).toBe(false);
  });
});
