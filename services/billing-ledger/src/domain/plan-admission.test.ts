import { describe, expect, it } from '@jest/globals';
import { type AdmissionInput, planAdmission } from './plan-admission.js';
import type { PlannedModel } from './price.js';
import type { Subject } from './subject.js';

const subject = { chargesCustomer: false, accounts: { owner: 1001n } } as Subject;

function plan(values: Partial<AdmissionInput>, centsPerMillion = 300n) {
  const model: PlannedModel = {
    modelId: 'vendor/model',
    outputBounds: { max: 8_192, usual: 8_192 },
    toFeeMicrocents: ({ searches }) => BigInt(searches),
    toPriceBound: () => undefined,
    price: { inputPerMillionCents: centsPerMillion, outputPerMillionCents: centsPerMillion, perImageCents: 4n },
    quotaUnits: 1n,
    isPricedFor: { tokens: true, images: true },
  };
  const input = { kind: 'text' as const, inputTokensEstimate: 10, maxOutputTokens: 90, images: 0, ...values };
  return planAdmission(subject, 'vendor/model', model, input);
}

describe('planAdmission', () => {
  it('plans a request of a usual size', () => {
    expect(plan({})).toMatchObject({ inputTokens: 10n, outputTokensWanted: 90n });
  });

  it("applies the model's bounds to each of several answers", () => {
    expect(plan({ maxOutputTokens: 20_000, answers: 3 })).toMatchObject({ outputTokensWanted: 20_000n });
    expect(plan({ maxOutputTokens: 30_000, answers: 3 })).toMatchObject({ outputTokensWanted: 24_576n });
    const usual = plan({ maxOutputTokens: undefined, answers: 3 });
    expect(usual).toMatchObject({ outputTokensWanted: 24_576n, outputTokensMin: 768n });
  });

  it.each([
    ['an input estimate that no model takes', plan({ inputTokensEstimate: 10 ** 15 })],
    ['more images than one request makes', plan({ kind: 'images', images: 2_000_000_000 })],
    ['a cost that no account could hold', plan({ inputTokensEstimate: 10 ** 6 }, 9_000_000_000n)],
  ])('refuses %s', (_, planned) => {
    expect(planned).toMatchObject({ kind: 'refused', code: 'INVALID_INPUT' });
  });
});
