import { describe, expect, it } from '@jest/globals';
import { checkUrl } from './safe-fetch.js';
import { parseTarget } from './target.js';

describe('parseTarget', () => {
  it.each([
    [
      'https://example.com/a?b=1#c',
      { hostname: 'example.com', port: 443, origin: 'https://example.com:443', path: '/a?b=1' },
    ],
    ['https://EXAMPLE.com.:8443', { hostname: 'example.com', port: 8443, path: '/' }],
    ['https://bücher.example/', { hostname: 'xn--bcher-kva.example' }],
    ['https://[2606:4700::1]/x', { hostname: '2606:4700::1', isLiteral: true, origin: 'https://[2606:4700::1]:443' }],
  ])('parses %s', (url, expected) => {
    expect(parseTarget(url, false)).toMatchObject(expected);
  });

  it.each([
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['gopher://example.com/', 'https'],
    ['https://user@example.com/', 'user name'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://', 'malformed'],
    ['not a url', 'malformed'],
    ['https://exa mple.com/', 'malformed'],
    ['https://example.com:99999/', 'malformed'],
    ['https://256.256.256.256/', 'malformed'],
    ['https://[::1%25eth0]/', 'malformed'],
    [`https://example.com/${'x'.repeat(9000)}`, 'longer'],
  ])('refuses %s', (url, message) => {
    expect(parseTarget(url, false)).toMatchObject({
      ok: false,
      reason: 'invalid_url',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [443, true],
    [8443, true],
    [1024, true],
    [65_535, true],
    [80, false],
    [22, false],
    [25, false],
    [1023, false],
    [6000, false],
    [6667, false],
    [10_080, false],
  ])('decides whether port %i is allowed: %s', (port, allowed) => {
    const url = `https://example.com:${port}/`;
    expect(checkUrl(url) === undefined).toBe(allowed);
    expect(checkUrl(url, { allowPrivate: true })).toBeUndefined();
  });

  it.each([true, false])('refuses port 0, with private endpoints allowed: %s', (allowPrivate) => {
    for (const url of ['https://example.com:0/', 'https://example.com:00/'])
      expect(parseTarget(url, allowPrivate)).toMatchObject({ ok: false, message: 'port 0 may not be called' });
  });

  it('allows http where private endpoints are allowed', () => {
    expect(parseTarget('http://localhost:3000/hook', true)).toMatchObject({ protocol: 'http:', port: 3000 });
    expect(parseTarget('http://localhost/', true)).toMatchObject({ port: 80 });
  });
});

describe('checkUrl', () => {
  // Every spelling of an address that may not be called.
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0x7f.0.0.1/',
    'https://0x7f000001/',
    'https://127.0.0.1./',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xA9FEA9FE/',
    'https://2852039166/',
    'https://metadata.google.internal/',
    'https://METADATA.google.internal./',
    'https://instance-data/',
  ])('blocks %s', (url) => {
    expect(checkUrl(url)).toMatchObject({ ok: false, reason: 'blocked_address', reached: false });
  });

  it.each([
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
  ])('blocks %s even where private endpoints are allowed', (url) => {
    expect(checkUrl(url, { allowPrivate: true })).toMatchObject({ reason: 'blocked_address' });
  });

  it.each(['http://127.0.0.1:3000/', 'http://[::1]:3000/', 'https://10.1.2.3/', 'http://app.local/'])(
    'allows %s where private endpoints are allowed',
    (url) => {
      expect(checkUrl(url, { allowPrivate: true })).toBeUndefined();
    },
  );

  it('names no address in what the owner of the URL reads', () => {
    expect(checkUrl('https://10.0.0.1/')?.message).toBe('the host may not be called');
  });
});
