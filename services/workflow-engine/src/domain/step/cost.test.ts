import { describe, expect, it } from '@jest/globals';
import { type CallRecord, costOfCall, summarizeCost } from './cost.js';

const record = (more: Partial<CallRecord>): CallRecord => ({
  nodeId: 'n',
  holdId: 'r',
  status: 'settled',
  modelId: 'm',
  provider: 'p',
  costMicrocents: null,
  heldMicrocents: 500n,
  inputTokens: null,
  outputTokens: null,
  ...more,
});

describe('costOfCall', () => {
  it('computes the product of prices and usage exactly', () => {
    const prices = { inputPerMillionCents: 15n, outputPerMillionCents: 60n, perImageCents: 4n };
    expect(costOfCall({ inputTokens: 7n, outputTokens: 3n, images: 0 }, prices)).toBe(7n * 15n + 3n * 60n);
    expect(costOfCall({ inputTokens: 0n, outputTokens: 0n, images: 2 }, prices)).toBe(8_000_000n);
  });
});

describe('summarizeCost', () => {
  it('sums per node, model and provider, and in total', () => {
    const summary = summarizeCost(
      [
        record({ costMicrocents: 10n, inputTokens: 1n, outputTokens: 2n }),
        record({ costMicrocents: 5n, inputTokens: 3n, outputTokens: 4n }),
        record({ costMicrocents: 1n, modelId: 'other' }),
        record({ costMicrocents: 7n, nodeId: 'n2', status: 'failed' }),
      ],
      false,
    );
    expect(summary.totalMicrocents).toBe(23n);
    expect(summary.lines).toEqual([
      { nodeId: 'n', model: 'm', provider: 'p', microcents: 15n, requests: 2, inputTokens: 4n, outputTokens: 6n },
      { nodeId: 'n', model: 'other', provider: 'p', microcents: 1n, requests: 1, inputTokens: 0n, outputTokens: 0n },
      { nodeId: 'n2', model: 'm', provider: 'p', microcents: 7n, requests: 1, inputTokens: 0n, outputTokens: 0n },
    ]);
  });

  it('lists lost attempts separately with their held amounts', () => {
    const summary = summarizeCost([record({ status: 'ambiguous', holdId: 'lost' })], false);
    expect(summary).toEqual({
      totalMicrocents: 0n,
      lines: [],
      lostAttempts: [{ nodeId: 'n', model: 'm', holdId: 'lost', heldMicrocents: 500n }],
    });
  });

  it('counts a dispatched call as lost only after the run has ended', () => {
    expect(summarizeCost([record({ status: 'dispatched' })], false).lostAttempts).toEqual([]);
    expect(summarizeCost([record({ status: 'dispatched' })], true).lostAttempts).toHaveLength(1);
    expect(summarizeCost([record({ status: 'intent' }), record({ status: 'dropped' })], true).lostAttempts).toEqual([]);
  });
});
