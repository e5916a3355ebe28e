import { describe, expect, it } from '@jest/globals';
import { canFollow, isUndecided, nextState, type WorkState, workStates } from './work-state.js';

const legal: [WorkState, WorkState][] = [
  ['waiting', 'asked'],
  ['waiting', 'served'],
  ['waiting', 'failed'],
  ['waiting', 'lost'],
  ['asked', 'waiting'],
  ['asked', 'open'],
  ['asked', 'served'],
  ['asked', 'failed'],
  ['asked', 'lost'],
  ['open', 'waiting'],
  ['open', 'served'],
  ['open', 'failed'],
  ['open', 'lost'],
  ['served', 'settled'],
  ['failed', 'settled'],
  ['lost', 'settled'],
];
const isLegal = (from: WorkState, to: WorkState) => legal.some((pair) => pair[0] === from && pair[1] === to);
const illegal = workStates.flatMap((from) =>
  workStates.filter((to) => !isLegal(from, to)).map((to): [WorkState, WorkState] => [from, to]),
);

describe('states of held work', () => {
  it.each(legal)('allows %s to %s', (from, to) => {
    expect(nextState(from, to)).toBe(to);
  });

  it.each(illegal)('throws on %s to %s', (from, to) => {
    expect(() => nextState(from, to)).toThrow(`illegal transition of held work: ${from} to ${to}`);
  });

  it('decides an outcome once, from every undecided state', () => {
    for (const outcome of ['served', 'failed', 'lost'] as const) {
      for (const state of workStates) expect(canFollow(state, outcome)).toBe(isUndecided(state));
    }
  });
});
