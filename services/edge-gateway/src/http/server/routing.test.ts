import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { clientAddress } from '../exchange/client-address.js';
import { validate } from '../exchange/validate.js';
import { bySpecificity, hostPath } from '../openapi/route-order.js';

describe('hostPath', () => {
  it.each([
    ['/customers/:id', '/api/v1/customers/:id'],
    ['/v1/models', '/v1/models'],
    ['/.well-known/jwks.json', '/.well-known/jwks.json'],
  ])('maps %s to %s', (path, expected) => expect(hostPath(path)).toBe(expected));
});

describe('bySpecificity', () => {
  it('puts literal segments before parameters', () => {
    const paths = ['/customers/:id', '/customers/:id/balance', '/customers/me', '/customers/by-external-id/:x'];
    const sorted = [...paths].sort(bySpecificity);
    expect(sorted.indexOf('/customers/me')).toBeLessThan(sorted.indexOf('/customers/:id'));
    expect(sorted.indexOf('/customers/by-external-id/:x')).toBeLessThan(sorted.indexOf('/customers/:id/balance'));
  });
});

describe('bySpecificity among many paths', () => {
  it('orders transitively', () => {
    const paths = ['/open', '/things/:id', '/slow', '/documents', '/prompts', '/stream', '/things/mine', '/a/:b/c'];
    for (let i = 0; i < paths.length; i++) {
      const sorted = [...paths.slice(i), ...paths.slice(0, i)].sort(bySpecificity);
      expect(sorted.indexOf('/things/mine')).toBeLessThan(sorted.indexOf('/things/:id'));
      expect(sorted).toEqual([...paths].sort(bySpecificity));
    }
  });
});

describe('clientAddress', () => {
  const req = (forwarded?: string) =>
    ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } }) as never;

  it.each([
    ['believes nobody by default', 0, '1.1.1.1', '10.0.0.1'],
    ['takes what the one proxy added', 1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['takes what the outer of two proxies added', 2, '6.6.6.6, 1.1.1.1, 10.0.0.9', '1.1.1.1'],
    ['falls back to the socket', 1, undefined, '10.0.0.1'],
    ['falls back when there are fewer entries than proxies', 3, '1.1.1.1', '10.0.0.1'],
  ])('%s', (_what, hops, forwarded, expected) => expect(clientAddress(req(forwarded), hops)).toBe(expected));
});

describe('validate', () => {
  const schema = z.object({ input: z.array(z.object({ role: z.enum(['user']) })), name: z.string() });

  it('names every field that does not fit by its path', () => {
    expect(() => validate(schema, { input: [{ role: 'user' }, { role: 'x' }] })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('input[1].role'),
        fields: [
          { field: 'input[1].role', message: expect.any(String) },
          { field: 'name', message: expect.any(String) },
        ],
      }),
    );
  });
});
