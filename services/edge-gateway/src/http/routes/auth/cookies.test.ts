import { describe, expect, it } from '@jest/globals';
import { readBrowser, readBrowserId } from './cookies.js';

const config = (publicBaseUrl?: string) => ({ config: { publicBaseUrl } }) as Parameters<typeof readBrowser>[0];
const id = 'x'.repeat(43);

describe('readBrowserId', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    [`tollgate_browser=${id}`, id],
    [`a=b; tollgate_browser=${id}; c`, id],
    ['tollgate_browser=short', undefined],
    [`tollgate_browser=${id}x`, undefined],
    [`other_tollgate_browser=${id}`, undefined],
  ])('reads %j as %j', (cookie, expected) => {
    expect(readBrowserId({ cookie })).toBe(expected);
  });
});

describe('readBrowser', () => {
  it('keeps the id that the browser has, and draws one for a browser without', () => {
    expect(readBrowser(config(), { cookie: `tollgate_browser=${id}` }).id).toBe(id);
    expect(readBrowser(config(), {}).id).not.toBe(readBrowser(config(), {}).id);
  });

  it('keeps the cookie from scripts, other sites and plain connections', () => {
    const { cookie } = readBrowser(config('https://api.example.com'), {});
    expect(cookie).toMatch(
      /^tollgate_browser=[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(readBrowser(config('http://localhost:8080'), {}).cookie).not.toContain('Secure');
  });
});
