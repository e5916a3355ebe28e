import { describe, expect, it } from '@jest/globals';
import { allotSlots, type EndpointDemand } from './allot-slots.js';

const endpoint = (webhookId: string, ready: number, busy = 0, isFailing = false): EndpointDemand => ({
  webhookId,
  ready,
  busy,
  isFailing,
});
const allot = (demands: EndpointDemand[], total: number, failing = total, endpointMax = 4) => {
  const { quotas, lastServed } = allotSlots(demands, { total, failing }, endpointMax);
  return { quotas: Object.fromEntries(quotas), lastServed };
};

describe('allotting slots to endpoints', () => {
  it('gives each endpoint one slot before any gets two', () => {
    expect(allot([endpoint('a', 100), endpoint('b', 1), endpoint('c', 2)], 4).quotas).toEqual({ a: 2, b: 1, c: 1 });
  });

  it('keeps within the limit of one endpoint, counting running attempts', () => {
    expect(allot([endpoint('a', 100, 3), endpoint('b', 100, 4), endpoint('c', 100)], 50).quotas).toEqual({
      a: 1,
      c: 4,
    });
  });

  it('gives a failing endpoint one attempt at a time', () => {
    expect(allot([endpoint('a', 100, 0, true), endpoint('b', 100, 1, true)], 50).quotas).toEqual({ a: 1 });
  });

  it('reserves the slots above the failing share for healthy endpoints', () => {
    const dead = ['a', 'b', 'c', 'd'].map((id) => endpoint(id, 9, 0, true));
    expect(allot([...dead, endpoint('z', 9)], 4, 2).quotas).toEqual({ a: 1, b: 1, z: 2 });
  });

  it('returns the last considered endpoint, after which the next round starts', () => {
    expect(allot([endpoint('a', 9), endpoint('b', 9), endpoint('c', 9)], 2)).toEqual({
      quotas: { a: 1, b: 1 },
      lastServed: 'b',
    });
    expect(allot([endpoint('a', 9), endpoint('b', 0)], 9).lastServed).toBe('b');
    expect(allot([], 9)).toEqual({ quotas: {}, lastServed: undefined });
  });
});
