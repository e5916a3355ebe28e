import { describe, expect, it } from '@jest/globals';
import { LaneFlow, type LaneItem, PART_BYTES_MAX } from './lane-flow.js';

const bytes = (count: number) => new Uint8Array(count);
const newFlow = () => new LaneFlow<LaneItem>((id, payload, more) => ({ id, payload, more }));

function createFlow(...items: LaneItem[]): LaneFlow<LaneItem> {
  const flow = newFlow();
  for (const item of items) flow.push(item);
  return flow;
}

/** Takes everything: the id of each item, the size of its payload, and whether more of it follows. */
function takeAll(flow: LaneFlow<LaneItem>, splits = true): [number, number, boolean][] {
  const taken: [number, number, boolean][] = [];
  while (!flow.isEmpty) {
    const { id, payload, more = false } = flow.take(splits);
    taken.push([id, payload?.length ?? 0, more]);
  }
  return taken;
}

const small = (id: number): LaneItem => ({ id, payload: bytes(10) });
const large = (id: number, parts = 3): LaneItem => ({ id, payload: bytes(parts * PART_BYTES_MAX) });

describe('LaneFlow', () => {
  it('takes small items and the parts of large ones in turn', () => {
    const ids = takeAll(createFlow(large(1), small(2), small(3), small(4), small(5), small(6))).map(([id]) => id);
    expect(ids).toEqual([2, 1, 3, 1, 4, 1, 5, 6]);
  });

  it('continues with a large item when no small one waits, and lets a new small one pass after one part', () => {
    const flow = createFlow(large(1, 4));
    expect([flow.take(true).id, flow.take(true).id]).toEqual([1, 1]);
    flow.push(small(2));
    flow.push(small(3));
    expect(takeAll(flow).map(([id]) => id)).toEqual([2, 1, 3, 1]);
  });

  it('takes a part of each large item in turn', () => {
    const taken = takeAll(createFlow(large(1, 2), large(2, 3)));
    expect(taken.map(([id, , more]) => [id, more])).toEqual([
      [1, true],
      [2, true],
      [1, false],
      [2, true],
      [2, false],
    ]);
  });

  it('sends a payload of exactly one part whole, and one byte more in two parts', () => {
    expect(takeAll(createFlow({ id: 1, payload: bytes(PART_BYTES_MAX) }))).toEqual([[1, PART_BYTES_MAX, false]]);
    expect(takeAll(createFlow({ id: 1, payload: bytes(PART_BYTES_MAX + 1) }))).toEqual([
      [1, PART_BYTES_MAX, true],
      [1, 1, false],
    ]);
  });

  it('keeps the fields of an item in its first part only', () => {
    const flow = newFlow();
    flow.push({ id: 1, payload: bytes(PART_BYTES_MAX + 1), flow: 'a' });
    expect([flow.take(true).flow, flow.take(true).flow]).toEqual(['a', undefined]);
  });

  it('sends a large item whole to a peer that cannot join parts', () => {
    const item = large(1);
    const flow = createFlow(item);
    expect(flow.take(false)).toBe(item);
    expect(flow.isEmpty).toBe(true);
  });

  it('sends an item without a payload as it is', () => {
    expect(takeAll(createFlow({ id: 1 }, { id: 2 }))).toEqual([
      [1, 0, false],
      [2, 0, false],
    ]);
  });

  it('keeps the order of the items of one id, small and large', () => {
    const flow = createFlow({ id: 1, payload: bytes(1) }, small(2), { id: 1, payload: bytes(2) }, large(1, 1.5), {
      id: 1,
      payload: bytes(3),
    });
    const sizes = takeAll(flow).flatMap(([id, size]) => (id === 1 ? [size] : []));
    expect(sizes).toEqual([1, 2, PART_BYTES_MAX, PART_BYTES_MAX / 2, 3]);
    expect(takeAll(createFlow(small(2), small(1), large(1, 1.5))).map(([id]) => id)).toEqual([2, 1, 1, 1]);
  });

  it('keeps small items that were taken out of those that an id takes along', () => {
    const flow = createFlow(small(1), small(1), small(2));
    expect(flow.take(true).id).toBe(1);
    flow.push(large(1, 1.5));
    expect(takeAll(flow).map(([id]) => id)).toEqual([1, 2, 1, 1]);
  });

  it('counts the bytes of its large items that were not taken', () => {
    const flow = createFlow(small(1), large(2, 2));
    expect(flow.largeBytes).toBe(2 * PART_BYTES_MAX);
    flow.push({ id: 2, payload: bytes(5) });
    expect(flow.largeBytes).toBe(2 * PART_BYTES_MAX + 5);
    flow.take(true);
    expect(flow.largeBytes).toBe(2 * PART_BYTES_MAX + 5);
    flow.take(true);
    expect(flow.largeBytes).toBe(PART_BYTES_MAX + 5);
    takeAll(flow);
    expect(flow.largeBytes).toBe(0);
  });

  it('counts no bytes of a payload of exactly one part, and none of an item without a payload', () => {
    expect(createFlow({ id: 1, payload: bytes(PART_BYTES_MAX) }).largeBytes).toBe(0);
    const flow = createFlow({ id: 1 }, large(1));
    expect(flow.largeBytes).toBe(3 * PART_BYTES_MAX);
    expect([flow.drop(1), flow.largeBytes]).toEqual([true, 0]);
  });

  it('names the ids that wait', () => {
    const flow = createFlow(small(1), small(2), large(3));
    flow.take(true);
    const ids = new Set<number>();
    flow.addIds(ids);
    expect([...ids]).toEqual([2, 3]);
  });
});

describe('drop', () => {
  it('returns whether nothing of a large item was taken, and takes its bytes off', () => {
    const flow = createFlow(large(1), large(2));
    flow.take(true);
    expect([flow.drop(2), flow.drop(1), flow.drop(1)]).toEqual([true, false, undefined]);
    expect([flow.largeBytes, flow.isEmpty]).toEqual([0, true]);
  });

  it('removes the only item, and the first that waits', () => {
    const flow = createFlow(small(1), small(2));
    flow.take(true);
    expect([flow.drop(2), flow.isEmpty]).toEqual([true, true]);
    expect(createFlow(small(1)).drop(1)).toBe(true);
  });

  it('removes a waiting small item, and finds none that was taken', () => {
    const flow = createFlow(small(1), small(2), small(3));
    flow.take(true);
    expect([flow.drop(1), flow.drop(3)]).toEqual([undefined, true]);
    expect(takeAll(flow).map(([id]) => id)).toEqual([2]);
  });
});
