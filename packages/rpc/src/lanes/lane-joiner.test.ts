import { describe, expect, it } from '@jest/globals';
import type { LaneItem } from './lane-flow.js';
import { LaneJoiner } from './lane-joiner.js';

interface Item extends LaneItem {
  name?: string;
}

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
    const payload = new Uint8Array(64 * 1024 * 1024);
    const join = () => {
      for (let id = 0; id < 9; id++) joiner.join({ id, payload, more: true });
    };
    expect(join).toThrow(RangeError);
  });
});
