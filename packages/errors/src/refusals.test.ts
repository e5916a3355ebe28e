import { describe, expect, it } from '@jest/globals';
import { AppError, type Failure } from './app-error.js';
import {
  type Audience,
  errorForAudience,
  type RefusalCode,
  refusalCodes,
  refusalError,
  refusalStatus,
} from './refusals.js';
import { wireStatus } from './wire-status.js';

// The contract's table "Billing admission refusals": code, owner or project key asking, customer asking.
const refusalTable: [RefusalCode, 402 | 503, 402 | 503][] = [
  ['SUBSCRIPTION_INACTIVE', 402, 402],
  ['TIER_ALLOWANCE_EXHAUSTED', 402, 402],
  ['WALLET_EMPTY', 402, 402],
  ['PROVIDER_ACCOUNT_UNFUNDED', 402, 503],
  ['FREE_CREDIT_DAILY_CAP', 402, 503],
  ['ACCOUNT_QUOTA_EXCEEDED', 402, 503],
  ['API_KEY_SPEND_LIMIT_REACHED', 402, 503],
];

describe('billing refusals', () => {
  it('covers every refusal code', () => {
    expect([...refusalCodes].sort()).toEqual(refusalTable.map(([code]) => code).sort());
  });

  it('reports the first of several limits in the documented order', () => {
    expect(refusalCodes.slice(0, 4)).toEqual([
      'SUBSCRIPTION_INACTIVE',
      'TIER_ALLOWANCE_EXHAUSTED',
      'WALLET_EMPTY',
      'API_KEY_SPEND_LIMIT_REACHED',
    ]);
  });

  describe.each(refusalTable)('%s', (code, toProject, toCustomer) => {
    it.each<[Audience, 402 | 503]>([
      ['project', toProject],
      ['customer', toCustomer],
    ])('answers the %s with %i', (audience, status) => {
      const view = refusalStatus(code, audience);
      expect(view.status).toBe(status);
      expect(wireStatus(refusalError(code, audience))).toBe(status);
      if (status === 402) {
        expect(view).toMatchObject({ code, retryable: false });
        expect(view.retryAfterSeconds).toBeUndefined();
      } else {
        expect(view).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true, retryAfterSeconds: 30 });
        expect(view.message).not.toMatch(/owner|balance|credit|quota|spend|key/i);
      }
    });
  });
});

describe('errorForAudience', () => {
  const paymentFailure: Failure = {
    code: 'UPSTREAM_PAYMENT_REQUIRED',
    message: 'your credit balance is too low',
    layer: 'upstream',
    cause: 'upstream_response',
    statusCode: 402,
    retryable: false,
    detail: 'account acct_1 is out of funds',
    providerRequestId: 'req_up',
    requestId: 'req_1',
  };

  it("turns a provider's payment refusal into a neutral 503 for a customer and keeps it for the project", () => {
    const error = new AppError('UPSTREAM_PAYMENT_REQUIRED', 'no credit', {
      detail: 'acct_1',
      upstreamStatus: 402,
      requestId: 'req_1',
      failures: [paymentFailure],
    });
    expect(errorForAudience(error, 'project')).toBe(error);
    const shown = errorForAudience(error, 'customer');
    expect(shown).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      retryAfterSeconds: 30,
      requestId: 'req_1',
    });
    expect([shown.detail, shown.upstreamStatus, shown.failures]).toEqual([undefined, undefined, undefined]);
    expect(shown.cause).toBe(error);
  });

  it("conceals the owner's payment failures from a customer and keeps the rest of the error", () => {
    const other: Failure = { ...paymentFailure, code: 'PROVIDER_ERROR', statusCode: 500 };
    const error = new AppError('PROVIDER_ERROR', 'all routes failed', {
      upstreamStatus: 500,
      failures: [paymentFailure, other],
    });
    const shown = errorForAudience(error, 'customer');
    expect(shown).toMatchObject({ code: 'PROVIDER_ERROR', message: 'all routes failed', upstreamStatus: 500 });
    expect(shown.failures?.[1]).toEqual(other);
    expect(JSON.stringify(shown.failures?.[0])).not.toMatch(/credit|acct|req_up/);
    expect(shown.failures?.[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503, requestId: 'req_1' });
  });

  it("leaves a customer's own refusal and unrelated errors as they are", () => {
    for (const error of [refusalError('WALLET_EMPTY', 'customer'), new AppError('NOT_FOUND', 'run not found')]) {
      expect(errorForAudience(error, 'customer')).toBe(error);
    }
  });
});
