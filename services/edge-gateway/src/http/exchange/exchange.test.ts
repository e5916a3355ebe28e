import { describe, expect, it } from '@jest/globals';
import { readRequestIds } from './exchange.js';

/** Version 7, which starts with the time. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('readRequestIds', () => {
  it('makes one id when the client sends none', () => {
    const ids = readRequestIds({});
    expect(ids.requestId).toMatch(uuid);
    expect(ids.holdId).toBe(ids.requestId);
  });

  it.each(['my-request', '018f2f4e-6f4b-7c11-9d3a-000000000001', '!', 'x'.repeat(128)])('echoes %s', (id) => {
    expect(readRequestIds({ 'x-service-request-id': id }).requestId).toBe(id);
  });

  it.each(['', ' ', 'two words', 'x'.repeat(129), 'ü', 'a\u007f'])('ignores %j', (id) => {
    expect(readRequestIds({ 'x-service-request-id': id }).requestId).toMatch(uuid);
  });

  it('generates a new hold id for each request, even when the client repeats a request id', () => {
    const headers = { 'x-service-request-id': '018f2f4e-6f4b-7c11-9d3a-000000000001' };
    const [first, second] = [readRequestIds(headers), readRequestIds(headers)];
    expect(first.holdId).toMatch(uuid);
    expect(first.holdId).not.toBe(first.requestId);
    expect(first.holdId).not.toBe(second.holdId);
  });
});
