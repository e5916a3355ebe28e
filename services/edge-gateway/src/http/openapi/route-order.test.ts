import { describe, expect, it } from '@jest/globals';
import { bySpecificity, hostPath } from './route-order.js';

describe('hostPath', () => {
  it.each([
    ['/customers/:id', '/api/v1/customers/:id'],
    ['/v1/models', '/v1/models'],
    ['/.well-known/jwks.json', '/.well-known/jwks.json'],
    ['/status', '/status'],
    ['/', '/'],
    ['/docs', '/docs'],
    ['/docs/start.js', '/docs/start.js'],
    ['/documents', '/api/v1/documents'],
  ])('maps %s to %s', (path, expected) => expect(hostPath(path)).toBe(expected));
});

describe('bySpecificity', () => {
  it('puts literal segments before parameters', () => {
    const paths = ['/customers/:id', '/customers/:id/balance', '/customers/me', '/customers/by-external-id/:x'];
    const sorted = [...paths].sort(bySpecificity);
    expect(sorted.indexOf('/customers/me')).toBeLessThan(sorted.indexOf('/customers/:id'));
    expect(sorted.indexOf('/customers/by-external-id/:x')).toBeLessThan(sorted.indexOf('/customers/:id/balance'));
  });

  it('orders transitively', () => {
    const paths = ['/open', '/things/:id', '/slow', '/documents', '/prompts', '/stream', '/things/mine', '/a/:b/c'];
    for (let i = 0; i < paths.length; i++) {
      const sorted = [...paths.slice(i), ...paths.slice(0, i)].sort(bySpecificity);
      expect(sorted.indexOf('/things/mine')).toBeLessThan(sorted.indexOf('/things/:id'));
      expect(sorted).toEqual([...paths].sort(bySpecificity));
    }
  });
});
