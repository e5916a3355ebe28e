import { describe, expect, it } from '@jest/globals';
import { toApiError, toFailure } from './api-error.js';
import { AppError, type AppErrorOptions } from './app-error.js';
import { type ErrorCode, errorCatalog } from './catalog.js';
import { codeForStatus, fromWire, toWire, type WireError } from './wire.js';

const full: AppErrorOptions = {
  servedBefore: { usage: { input_tokens: 1 }, chargedMicrocents: 2 },
  vendorError: { shape: 'openai', type: 't', code: 'c', param: 'p' },
  status: 429,
  retryable: false,
  layer: 'routing',
  causeKind: 'canceled',
  detail: 'provider said no',
  requestId: 'req_1',
  providerRequestId: 'prov_1',
  upstreamStatus: 529,
  retryAfterSeconds: 7,
  actionUrl: 'https://pay.example/card',
  fields: [{ field: 'input[0].role', message: 'is required' }],
  issues: [{ code: 'cycle', path: '/nodes/0', message: 'node a waits for itself' }],
  failures: [
    toFailure(new AppError('PROVIDER_TIMEOUT', 'route 1', { providerRequestId: 'p1' }), { itemId: 'i', batchId: 'b' }),
  ],
};

describe('wire form', () => {
  it.each(Object.keys(errorCatalog) as ErrorCode[])('serializes %s to JSON and restores an equal error', (code) => {
    for (const options of [{}, full]) {
      const error = new AppError(code, `about ${code}`, options);
      const rebuilt = fromWire(JSON.parse(JSON.stringify(toWire(error))) as WireError);
      expect({ ...rebuilt }).toEqual({ ...error });
      expect(rebuilt.message).toBe(error.message);
    }
  });

  it('omits the cause', () => {
    const wire = toWire(new AppError('INTERNAL_ERROR', 'internal error', { cause: new Error('secret') }));
    expect(JSON.stringify(wire)).not.toContain('secret');
    expect(Object.keys(wire)).not.toContain('cause');
  });

  it("maps a newer peer's unknown code by its status", () => {
    const error = fromWire({ code: 'FROM_THE_FUTURE', message: 'new rule', status: 409, retryable: false });
    expect(error).toMatchObject({ code: 'CONFLICT', status: 409, message: 'new rule', retryable: false });
    expect(fromWire({ code: 'FROM_THE_FUTURE', message: 'x' }).code).toBe('INTERNAL_ERROR');
  });

  it.each([
    [400, 'INVALID_INPUT'],
    [418, 'INVALID_INPUT'],
    [404, 'NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [500, 'INTERNAL_ERROR'],
    [502, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
    [undefined, 'INTERNAL_ERROR'],
  ] as const)('maps status %s without an error code to %s', (status, code) => {
    expect(codeForStatus(status)).toBe(code);
  });
});

describe('native envelope', () => {
  it('has every required field and omits absent optional fields', () => {
    expect(toApiError(new AppError('NOT_FOUND', 'run not found'))).toEqual({
      error: 'api_error',
      code: 'NOT_FOUND',
      message: 'run not found',
      layer: 'request',
      cause: 'validation',
      status_code: 404,
      retryable: false,
    });
  });

  it('carries every optional field in snake_case', () => {
    const envelope = toApiError(new AppError('PROVIDER_ERROR', 'failed', full), {
      requestId: 'other',
      batchId: 'b1',
      itemId: 'i1',
    });
    expect(envelope).toEqual({
      error: 'api_error',
      code: 'PROVIDER_ERROR',
      message: 'failed',
      layer: 'routing',
      cause: 'canceled',
      status_code: 429,
      retryable: false,
      detail: 'provider said no',
      request_id: 'req_1',
      provider_request_id: 'prov_1',
      batch_id: 'b1',
      item_id: 'i1',
      fields: full.fields,
      issues: full.issues,
      failures: [
        {
          code: 'PROVIDER_TIMEOUT',
          message: 'route 1',
          layer: 'upstream',
          cause: 'timeout',
          status_code: 504,
          retryable: true,
          provider_request_id: 'p1',
          batch_id: 'b',
          item_id: 'i',
        },
      ],
      usage: { input_tokens: 1 },
      charged_microcents: 2,
      action_url: 'https://pay.example/card',
    });
  });

  it('falls back to the request id of the context', () => {
    expect(toApiError(new AppError('CONFLICT', 'x'), { requestId: 'req_9' }).request_id).toBe('req_9');
  });
});
