import { describe, expect, it } from '@jest/globals';
import { Circuit } from './circuit.js';

const limits = { failuresMax: 3, openMs: 1_000 };

function broken(): Circuit {
  const circuit = new Circuit(limits);
  for (let i = 0; i < 3; i++) circuit.failed(0);
  return circuit;
}

describe('the circuit of a route', () => {
  it('stays closed until too many consecutive failures', () => {
    const circuit = new Circuit(limits);
    for (let i = 0; i < 20; i++) {
      circuit.failed(i);
      circuit.failed(i);
      expect(circuit.admits(i)).toBe(true);
      circuit.succeeded(i);
    }
    for (let i = 0; i < 3; i++) circuit.failed(20);
    expect([circuit.state, circuit.admits(20)]).toEqual(['open', false]);
  });

  it('lets exactly one call probe when its time is up', () => {
    const circuit = broken();
    expect(circuit.admits(999)).toBe(false);
    expect([1_000, 1_000, 1_500].map((at) => circuit.admits(at))).toEqual([true, false, false]);
    expect(circuit.state).toBe('half_open');
  });

  it('closes when the probe was answered, and opens again when it failed', () => {
    const repaired = broken();
    repaired.admits(1_000);
    repaired.succeeded(1_000);
    expect([repaired.state, repaired.admits(1_001)]).toEqual(['closed', true]);
    const still = broken();
    still.admits(1_000);
    still.failed(1_100);
    expect([still.state, still.admits(2_099), still.admits(2_100)]).toEqual(['open', false, true]);
  });

  it('admits another probe when the outcome of a probe was never reported', () => {
    const circuit = broken();
    circuit.admits(1_000);
    expect([circuit.admits(1_999), circuit.admits(2_000), circuit.admits(2_001)]).toEqual([false, true, false]);
  });

  it('closes when any call was answered, even one without another route', () => {
    const circuit = broken();
    circuit.succeeded(1);
    expect(circuit.admits(1)).toBe(true);
  });

  it('reports its failures, since when it has its state, and when it is probed', () => {
    const circuit = new Circuit(limits);
    expect(circuit.report).toEqual({ state: 'closed', failures: 0, sinceMs: undefined, nextProbeMs: undefined });
    for (const at of [10, 20, 30, 40]) circuit.failed(at);
    expect(circuit.report).toEqual({ state: 'open', failures: 4, sinceMs: 30, nextProbeMs: 1_040 });
    circuit.admits(1_040);
    expect(circuit.report).toEqual({ state: 'half_open', failures: 4, sinceMs: 1_040, nextProbeMs: 2_040 });
    circuit.succeeded(1_100);
    expect(circuit.report).toEqual({ state: 'closed', failures: 0, sinceMs: 1_100, nextProbeMs: undefined });
  });
});
