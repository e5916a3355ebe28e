import { describe, expect, it } from '@jest/globals';
import { bySpecificity, expressPath, hostPath, templatePath } from './paths.js';

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

it('writes a parameter and a method in one segment in the forms of OpenAPI and Express', () => {
  const path = '/v1beta/models/:model:countTokens';
  expect(hostPath(path)).toBe(path);
  expect(templatePath(path)).toBe('/v1beta/models/{model}:countTokens');
  expect(expressPath(path)).toBe('/v1beta/models/:model\\:countTokens');
  expect(templatePath('/things/:id/parts/:part_id')).toBe('/api/v1/things/{id}/parts/{part_id}');
});

describe('bySpecificity', () => {
  it('puts literal segments before parameters', () => {
    const paths = ['/customers/:id', '/customers/:id/balance', '/customers/me', '/customers/by-external-id/:x'];
    const sorted = [...paths].sort(bySpecificity);
    expect(sorted.indexOf('/customers/me')).toBeLessThan(sorted.indexOf('/customers/:id'));
    expect(sorted.indexOf('/customers/by-external-id/:x')).toBeLessThan(sorted.indexOf('/customers/:id/balance'));
  });

  it('puts a parameter with a method before one without, in either form', () => {
    for (const form of [(path: string) => path, expressPath]) {
      const paths = ['/v1beta/models/:model', '/v1beta/models/:model:count'].map(form);
      expect([...paths].sort(bySpecificity)).toEqual(paths.reverse());
    }
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
