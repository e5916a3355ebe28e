import { expect, it } from '@jest/globals';
import { describeRefund } from './describe-refund.js';

it.each([
  [{ status: 'pending' as const }, 'Refund requested'],
  [{ status: 'succeeded' as const }, 'Refund requested'],
  [
    { status: 'failed' as const, failure: 'expired card' },
    'The refund has failed (expired card). The money is in the wallet again.',
  ],
  [{ status: 'failed' as const }, 'The refund has failed. The money is in the wallet again.'],
])('describes %j', (refund, text) => {
  expect(describeRefund(refund)).toBe(text);
});
