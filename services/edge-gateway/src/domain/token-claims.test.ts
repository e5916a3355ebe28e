import { describe, expect, it } from '@jest/globals';
import { isInScope, parseClaims, revocableSubjects } from './token-claims.js';

const access = { typ: 'access', sub: 'u', sid: 's', pid: 'p' };
const customer = { typ: 'customer', sub: 'c', sid: 's', pid: 'p', euid: 'c', eext: 'ext', tier: 'free' };

describe('parseClaims', () => {
  it('reads both kinds of token and only the claims', () => {
    expect(parseClaims({ ...access, iss: 'x', exp: 1 })).toEqual(access);
    expect(parseClaims({ ...customer, aud: 'y' })).toEqual(customer);
  });

  it('reads an absent tier as none', () => {
    const { tier: _, ...rest } = customer;
    expect(parseClaims(rest)).toEqual({ ...customer, tier: '' });
  });

  it.each([
    ['no type', { ...access, typ: undefined }],
    ['another type', { ...access, typ: 'refresh' }],
    ['no subject', { ...access, sub: '' }],
    ['no session', { ...access, sid: undefined }],
    ['no project', { ...access, pid: 7 }],
    ['a customer token without its customer', { ...customer, euid: undefined }],
    ['a customer token with an unknown scope', { ...customer, scope: 'admin' }],
    ['a customer token without its external id', { ...customer, eext: undefined }],
  ])('rejects %s', (_what, payload) => {
    expect(parseClaims(payload)).toBeUndefined();
  });
});

describe('isInScope', () => {
  const portal = parseClaims({ ...customer, scope: 'portal' })!;

  it.each(['/customers/me', '/customers/me/topup'])('opens %s to a session of the portal', (path) => {
    expect(isInScope(portal, path)).toBe(true);
  });

  it.each(['', '/responses', '/v1/responses', '/customers/:id', '/customers/merge', '/auth/device/approve'])(
    'refuses a session of the portal at %j, where a customer token may be used',
    (path) => {
      expect([isInScope(portal, path), isInScope(parseClaims(customer)!, path)]).toEqual([false, true]);
    },
  );
});

describe('revocableSubjects', () => {
  it('ends a customer token with its session, project or customer', () => {
    expect(revocableSubjects(parseClaims({ ...customer, sid: 's1', pid: 'p1', euid: 'c1' })!)).toEqual([
      's1',
      'p1',
      'c1',
    ]);
  });

  it('ends an access token with its session only, because the account outlives a project', () => {
    expect(revocableSubjects(parseClaims(access)!)).toEqual(['s']);
  });
});
