import { expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { notDelivered } from '@tollgate/rpc';
import { classify } from './ledger.js';

const retryable = { retryable: true };
const permanent = { retryable: false };

it.each([
  ['a call that was not sent', notDelivered(), 'undelivered'],
  ['a stream that broke', new Error('read ECONNRESET'), 'lost'],
  ['a service that is unavailable', new AppError('SERVICE_UNAVAILABLE', 'later', retryable), 'lost'],
  ['a call without an answer in time', new AppError('RELAY_TIMEOUT', 'too late', retryable), 'lost'],
  ['a service that has crashed', new AppError('INTERNAL_ERROR', 'crashed', retryable), 'lost'],
  ['a service that fails for good', new AppError('INTERNAL_ERROR', 'broken', permanent), 'defect'],
  ['a refusal', new AppError('INVALID_INPUT', 'no such model'), 'final'],
  ['a failure of the provider', new AppError('PROVIDER_ERROR', 'overloaded', retryable), 'final'],
])('returns what became of the work of %s', (_what, error, fate) => {
  expect(classify(error)).toBe(fate);
});
