import { describe, expect, it } from '@jest/globals';
import { isLocalPath, requireLocalPage } from './local-page.js';

describe('requireLocalPage', () => {
  it.each([
    ['a program', { host: '127.0.0.1:8080' }],
    ['localhost', { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }],
    ['localhost in upper case', { host: 'LOCALHOST:8080', origin: 'http://localhost:8080' }],
    ['the default port', { host: 'localhost', origin: 'http://localhost' }],
    ['another loopback address', { host: '127.9.8.7:8080', origin: 'http://127.9.8.7:8080' }],
    ['IPv6', { host: '[::1]:8080', origin: 'http://[::1]:8080' }],
    ['a long form of IPv6', { host: '[0:0:0:0:0:0:0:1]:8080' }],
    ['an address that a person typed', { host: 'localhost:8080', 'sec-fetch-site': 'none' }],
  ])('admits %s', (_, headers) => {
    expect(() => requireLocalPage(headers)).not.toThrow();
  });

  it.each([
    [
      'a rebound name',
      { host: 'evil.example:8080', origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin' },
    ],
    ['a rebound name without an origin', { host: 'evil.example' }],
    ['a name that begins like an address', { host: '127.0.0.1.evil.example' }],
    ['a name that ends like localhost', { host: 'evil.localhost:8080' }],
    ['no host', {}],
    ['an empty host', { host: '' }],
    ['a host with a user', { host: 'evil.example@localhost' }],
    ['a host with a path', { host: 'localhost/evil' }],
    ['an address of the network', { host: '192.168.1.10:8080', origin: 'http://192.168.1.10:8080' }],
    ['any address', { host: '0.0.0.0:8080' }],
    ['IPv6 of the network', { host: '[fe80::1]:8080' }],
    ['IPv4 in IPv6', { host: '[::ffff:192.168.1.10]:8080' }],
    ['another port', { host: 'localhost:8080', origin: 'http://localhost:3000' }],
    ['another port without an origin', { host: 'localhost:8080', 'sec-fetch-site': 'same-site' }],
    ['another loopback name', { host: 'localhost:8080', origin: 'http://127.0.0.1:8080' }],
    ['another scheme', { host: 'localhost:8080', origin: 'https://localhost:8080' }],
    ['another site', { host: 'localhost:8080', origin: 'https://evil.example' }],
    ['another site without an origin', { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin of its own', { host: 'localhost:8080', origin: 'null' }],
    ['an empty origin', { host: 'localhost:8080', origin: '' }],
  ])('refuses %s', (_, headers) => {
    expect(() => requireLocalPage(headers)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});

describe('isLocalPath', () => {
  it.each(['/mailbox', '/mailbox/', '/mailbox?x=1', '/api/v1/auth/dev-login', 'http://localhost/mailbox'])(
    'matches %s',
    (url) => {
      expect(isLocalPath(url)).toBe(true);
    },
  );

  it.each(['/', '/mailboxes', '/api/v1/auth/login', '/x/mailbox', undefined])('leaves out %s', (url) => {
    expect(isLocalPath(url)).toBe(false);
  });
});
