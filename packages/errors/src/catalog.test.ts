import { describe, expect, it } from '@jest/globals';
import { AppError } from './app-error.js';
import { type ErrorCode, errorCatalog, getDefinition, isErrorCode, lowerCaseAliases } from './catalog.js';
import { wireStatus } from './wire-status.js';

// The contract's table "Codes", row by row: what a client sees on the wire.
const codesTable: [ErrorCode, number][] = [
  ['NOT_FOUND', 404],
  ['VALIDATION_ERROR', 400],
  ['INVALID_INPUT', 400],
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['CONFLICT', 409],
  ['RATE_LIMIT', 429],
  ['PAYMENT_REQUIRED', 402],
  ['METHOD_NOT_ALLOWED', 405],
  ['INTERNAL_ERROR', 500],
  ['SERVICE_UNAVAILABLE', 503],
  ['MODEL_CAPABILITY_UNSUPPORTED', 400],
  ['PROVIDER_ERROR', 500],
  ['PROVIDER_TIMEOUT', 503],
  ['RELAY_TIMEOUT', 503],
  ['UPSTREAM_PAYMENT_REQUIRED', 402],
  ['invalid_source', 400],
  ['source_or_files_required', 400],
  ['plugin_not_found', 404],
  ['skill_not_found', 404],
  ['parse_failed', 422],
  ['generation_failed', 422],
  ['rate_limited', 429],
  ['GONE', 410],
  ['PAYLOAD_TOO_LARGE', 413],
  ['HOOK_FAILED', 503],
  ['TOOL_NOT_MOCKED', 400],
];

const aliasTable: [keyof typeof lowerCaseAliases, number][] = [
  ['bad_request', 400],
  ['unauthorized', 401],
  ['payment_required', 402],
  ['forbidden', 403],
  ['not_found', 404],
  ['rate_limited', 429],
  ['internal_error', 500],
];

// The contract's table "Status codes": what a status says about trying again.
const retryTable: [number, boolean][] = [
  [400, false],
  [401, false],
  [402, false],
  [403, false],
  [404, false],
  [405, false],
  [409, false],
  [410, false],
  [413, false],
  [422, false],
  [429, true],
  [500, true],
];

const allowedStatuses = new Set([400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 429, 500, 503]);

describe('error catalog', () => {
  it.each(codesTable)('sends %s as %i', (code, status) => {
    expect(wireStatus(new AppError(code, 'text'))).toBe(status);
  });

  it.each(aliasTable)('maps the lower-case spelling %s to a code with status %i', (alias, status) => {
    expect(wireStatus(new AppError(lowerCaseAliases[alias], 'text'))).toBe(status);
  });

  it.each(retryTable)('marks every code of status %i as retryable: %s', (status, retryable) => {
    const codes = (Object.keys(errorCatalog) as ErrorCode[]).filter((code) => getDefinition(code).status === status);
    expect(codes.filter((code) => getDefinition(code).retryable !== retryable)).toEqual([]);
  });

  it.each(['SERVICE_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'RELAY_TIMEOUT'] as const)('marks %s as retryable', (code) => {
    expect(getDefinition(code).retryable).toBe(true);
  });

  it.each(Object.keys(errorCatalog) as ErrorCode[])('sends %s under a status that the contract lists', (code) => {
    expect(allowedStatuses).toContain(wireStatus(new AppError(code, 'text')));
  });

  it('accepts its own codes and no inherited property', () => {
    expect(isErrorCode('WALLET_EMPTY')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('wallet_empty')).toBe(false);
  });
});
