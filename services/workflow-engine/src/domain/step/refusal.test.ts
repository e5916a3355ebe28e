import { describe, expect, it } from '@jest/globals';
import { refusalFailure, visibleFailure } from './refusal.js';

const failure = (code: Parameters<typeof visibleFailure>[0]['code']) => ({ code, message: 'words' });

describe('visibleFailure', () => {
  it.each([
    'PROVIDER_ACCOUNT_UNFUNDED',
    'FREE_CREDIT_DAILY_CAP',
    'ACCOUNT_QUOTA_EXCEEDED',
    'UPSTREAM_PAYMENT_REQUIRED',
  ] as const)('shows %s to the owner and a neutral code to a customer', (code) => {
    expect(visibleFailure(failure(code), false)).toEqual(failure(code));
    const shown = visibleFailure(failure(code), true);
    expect(shown.code).toBe('SERVICE_UNAVAILABLE');
    expect(shown.message).not.toContain('words');
  });

  it.each(['TIER_ALLOWANCE_EXHAUSTED', 'WALLET_EMPTY', 'SUBSCRIPTION_INACTIVE', 'PROVIDER_ERROR'] as const)(
    'shows %s to everyone',
    (code) => {
      expect(visibleFailure(failure(code), true)).toEqual(failure(code));
    },
  );
});

describe('refusalFailure', () => {
  it('keeps a known code, and treats an unknown one as an invalid request', () => {
    expect(refusalFailure({ code: 'WALLET_EMPTY', message: 'm' })).toEqual({ code: 'WALLET_EMPTY', message: 'm' });
    expect(refusalFailure({ code: 'whatever', message: 'm' })).toEqual({ code: 'INVALID_INPUT', message: 'm' });
  });
});
