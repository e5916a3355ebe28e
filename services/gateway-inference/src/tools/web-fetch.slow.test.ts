import { afterAll, describe, expect, it } from '@jest/globals';
import { createWeb, type WebAnswer } from '../testing/web.js';
import { PageReader } from './page-reader.js';
import { fetchPage } from './web-fetch.js';

/** The web as a table of addresses, and a reader of its pages. */
function web(pages: Record<string, WebAnswer>) {
  const { asked, client } = createWeb(pages);
  const read = (url: string, max_length?: number) =>
    fetchPage(
      { client, reader },
      max_length === undefined ? { url } : { url, max_length },
      'account',
      new AbortController().signal,
    );
  return { asked, read };
}

let reader = new PageReader();
afterAll(() => reader.stop());

const A = 'https://example.com/a';

describe('reading a page', () => {
  it('returns the text of its main part, without menus and scripts', async () => {
    const article = '<p>One <b>bold</b> &amp; plain.</p>'.repeat(20);
    const body = `<html><head><title>A &lt;title&gt;</title><style>p{}</style></head><body><nav>Menu</nav>
      <main><h1>Heading</h1>${article}<a href="https://x.example">link</a></main><script>evil()</script><footer>Foot</footer></body></html>`;
    const text = await web({ [A]: { body } }).read(A);
    expect(text).toMatch(/^A <title>\n\nHeading\n/);
    expect(text).toContain('One bold & plain.');
    expect(text).toContain('link');
    for (const left of ['Menu', 'Foot', 'evil', 'p{}', 'x.example', '<p>']) expect(text).not.toContain(left);
  });

  it('returns all of a page whose main part has almost no text', async () => {
    const text = await web({ [A]: { body: '<body><article>Ad</article><p>The text.</p></body>' } }).read(A);
    expect(text).toContain('The text.');
  });

  it.each([
    ['text/plain; charset=utf-8', 'grüezi', 'grüezi'],
    ['application/json', '{"a":1}', '{"a":1}'],
    ['application/ld+json', '{}', '{}'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0xfc]), 'ü'],
    ['text/plain; charset=nonsense', 'x', 'x'],
    ['', '<p>no type</p>', 'no type'],
  ])('decodes a page of type %j', async (type, body, text) => {
    expect(await web({ [A]: { headers: { 'content-type': type }, body } }).read(A)).toBe(text);
  });

  it('decodes a page in the character set that it names', async () => {
    const body = Buffer.from('<meta charset="windows-1252"><p>caf\xe9</p>', 'latin1');
    expect(await web({ [A]: { body } }).read(A)).toContain('café');
  });

  it.each([
    [3, 'abc'],
    [4, 'abcd'],
    [6, 'abcd😀'],
    [5, 'abcd'],
  ])('cuts the text at max_length %i, never inside a character', async (length, text) => {
    const page = { headers: { 'content-type': 'text/plain' }, body: 'abcd😀' };
    expect(await web({ [A]: page }).read(A, length)).toBe(text);
  });

  it('follows redirects and checks each address, never to private ones', async () => {
    const { asked, read } = web({
      [A]: { status: 302, headers: { location: '/b' } },
      'https://example.com/b': { status: 301, headers: { location: 'https://other.example/c' } },
      'https://other.example/c': { body: '<p>here</p>' },
    });
    expect(await read(A)).toBe('here');
    expect(asked.map(({ url }) => url)).toEqual([A, 'https://example.com/b', 'https://other.example/c']);
    for (const { init } of asked) expect(init).toMatchObject({ allowPrivate: false, oversize: 'truncate' });
  });
});

describe('a page that cannot be read', () => {
  it.each<[string, Record<string, WebAnswer>, string]>([
    ['is not there', { [A]: { status: 404 } }, 'status 404'],
    ['has no host', {}, 'could not be resolved'],
    [
      'is private',
      { [A]: { ok: false, reason: 'blocked_address', message: 'the host may not be called', reached: false } },
      'may not',
    ],
    ['is a picture', { [A]: { headers: { 'content-type': 'image/png' } } }, 'image/png is not text'],
    ['is compressed', { [A]: { headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' } } }, 'compressed'],
    ['redirects for ever', { [A]: { status: 302, headers: { location: A } } }, 'more than 5 redirects'],
    ['redirects to nowhere', { [A]: { status: 302, headers: { location: 'https://' } } }, 'invalid address'],
  ])('fails with WEB_FETCH_FAILED when it %s', async (_why, pages, message) => {
    await expect(web(pages).read(A)).rejects.toMatchObject({
      code: 'WEB_FETCH_FAILED',
      message: expect.stringContaining(message),
    });
  });
});

describe('hostile pages', () => {
  it.each([
    ['all brackets', '<'.repeat(1_000_000)],
    ['endless attributes', `<p ${'a="b" '.repeat(160_000)}>`],
    ['many siblings', '<br>'.repeat(250_000)],
    ['big tables', `<table>${'<tr><td>x</td></tr>'.repeat(50_000)}</table>`],
  ])('reads %s', async (_how, body) => {
    await reader.stop();
    reader = new PageReader({ timeoutMs: 120_000 });
    expect(typeof (await web({ [A]: { body } }).read(A))).toBe('string');
  });

  it('aborts a page that takes too long, without blocking the process or the next page', async () => {
    await reader.stop();
    reader = new PageReader();
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 10);
    const hostile = web({ [A]: { body: '<b>'.repeat(340_000) } }).read(A);
    const next = web({ [A]: { body: '<p>next</p>' } }).read(A);
    await expect(hostile).rejects.toMatchObject({
      code: 'WEB_FETCH_FAILED',
      message: expect.stringContaining('too long'),
    });
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(10);
    expect(await next).toBe('next');
  });

  it('fails waiting pages when the service stops', async () => {
    const pages = [1, 2, 3].map((n) => web({ [A]: { body: `<p>${n}</p>` } }).read(A));
    const emitted = Promise.allSettled(pages);
    await new Promise((resolve) => setImmediate(resolve));
    await reader.stop();
    for (const outcome of await emitted) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'WEB_FETCH_FAILED' } });
    }
    reader = new PageReader();
  });
});
