import { describe, expect, it } from '@jest/globals';
import type { SafeFetchClient, SafeFetchInit, SafeFetchResult } from '@tollgate/safe-fetch';
import type { LinkedImage } from '../../domain/model-request.js';
import { createWeb } from '../../testing/web.js';
import { ImageFetcher } from './image-fetcher.js';

const MIB = 1024 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const URL_A = 'https://example.com/a.png';
const never = new AbortController().signal;

function link(url: string, field = 'messages[0].content[1].image_url.url'): LinkedImage {
  return { type: 'linked_image', url, field };
}

function fetchAll(client: SafeFetchClient, ...urls: string[]) {
  return new ImageFetcher(client).fetch(
    urls.map((url) => link(url)),
    'a',
    never,
  );
}

function createPng(bytes: number): Buffer {
  return Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
}

describe('reading linked images', () => {
  it('returns each with the type of its bytes, not of its header', async () => {
    const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex');
    const { client } = createWeb({
      [URL_A]: { headers: { 'content-type': 'application/octet-stream' }, body: PNG },
      'https://example.com/b': { headers: { 'content-type': 'image/png' }, body: jpeg },
    });
    const { byUrl } = await fetchAll(client, URL_A, 'https://example.com/b');
    expect([...byUrl.values()].map(({ file }) => file)).toEqual([
      { data_base64: PNG.toString('base64'), mime_type: 'image/png' },
      { data_base64: jpeg.toString('base64'), mime_type: 'image/jpeg' },
    ]);
  });

  it('follows redirects and never asks a private address', async () => {
    const { client, asked } = createWeb({
      [URL_A]: { status: 302, headers: { location: '/b' } },
      'https://example.com/b': { body: PNG },
    });
    expect((await fetchAll(client, URL_A)).byUrl.size).toBe(1);
    expect(asked.map(({ init }) => init.allowPrivate)).toEqual([false, false]);
  });

  it('bounds the redirects', async () => {
    const { client, asked } = createWeb({ [URL_A]: { status: 302, headers: { location: URL_A } } });
    await expect(fetchAll(client, URL_A)).rejects.toMatchObject({ message: expect.stringContaining('5 redirects') });
    expect(asked).toHaveLength(6);
  });

  const blocked: SafeFetchResult = {
    ok: false,
    reason: 'blocked_address',
    message: 'the host may not be called',
    reached: false,
  };
  const large: SafeFetchResult = { ok: false, reason: 'too_large', message: 'too large', reached: true };

  it.each([
    ['a private address', blocked, 'the host may not be called'],
    ['an image that is too large', large, 'larger than 8388608 bytes'],
    ['a missing image', { status: 404 }, 'its server answered 404'],
    ['a page', { body: '<html><body></body></html>' }, 'not a PNG, JPEG, WebP or GIF image'],
    ['an empty answer', { body: '' }, 'not a PNG, JPEG, WebP or GIF image'],
    ['a compressed answer', { headers: { 'content-encoding': 'gzip' }, body: PNG }, 'compressed'],
  ])('rejects %s by the field and the reason', async (_what, answer, why) => {
    const fetcher = new ImageFetcher(createWeb({ [URL_A]: answer }).client);
    await expect(fetcher.fetch([link(URL_A)], 'a', never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(why),
      fields: [{ field: 'messages[0].content[1].image_url.url' }],
      vendorError: { code: 'invalid_image_url' },
    });
    expect(fetcher.heldBytes).toBe(0);
  });

  it('names the image that failed first, and keeps none of the others', async () => {
    const fetcher = new ImageFetcher(createWeb({ [URL_A]: { body: PNG } }).client);
    const asked = fetcher.fetch([link(URL_A), link('https://example.com/none', 'messages')], 'a', never);
    await expect(asked).rejects.toMatchObject({ fields: [{ field: 'messages' }] });
    expect(fetcher.heldBytes).toBe(0);
  });
});

describe('the bounds of linked images', () => {
  it('rejects more than twenty of a request before it asks for one', async () => {
    const { client, asked } = createWeb({});
    const urls = Array.from({ length: 21 }, (_, i) => `https://example.com/${i}`);
    await expect(fetchAll(client, ...urls)).rejects.toMatchObject({ message: expect.stringContaining('20 images') });
    expect(asked).toEqual([]);
  });

  it('counts an image for every link to it, and reads it once', async () => {
    const { client, asked } = createWeb({ [URL_A]: { body: createPng(5 * MIB) } });
    const fetcher = new ImageFetcher(client);
    const twice = await fetcher.fetch([link(URL_A), link(URL_A)], 'a', never);
    expect(asked).toHaveLength(1);
    expect(fetcher.heldBytes).toBe(10 * MIB);
    twice.release();
    const thrice = fetcher.fetch([link(URL_A), link(URL_A), link(URL_A)], 'a', never);
    await expect(thrice).rejects.toMatchObject({ message: expect.stringContaining('too large') });
    expect(fetcher.heldBytes).toBe(0);
  });

  it('rejects more than twenty links to one image before it asks for it', async () => {
    const { client, asked } = createWeb({ [URL_A]: { body: PNG } });
    const urls = Array.from({ length: 21 }, () => URL_A);
    await expect(fetchAll(client, ...urls)).rejects.toMatchObject({ message: expect.stringContaining('20 images') });
    expect(asked).toEqual([]);
  });

  it('rejects images that are too large together', async () => {
    const urls = ['a', 'b', 'c'].map((name) => `https://example.com/${name}`);
    const { client } = createWeb(Object.fromEntries(urls.map((url) => [url, { body: createPng(5 * MIB) }])));
    await expect(fetchAll(client, ...urls)).rejects.toMatchObject({ message: expect.stringContaining('too large') });
  });

  it('holds the bytes of an account until they are released, at most half of the budget', async () => {
    const { client } = createWeb({ [URL_A]: { body: createPng(40) } });
    const fetcher = new ImageFetcher(client, 100);
    const first = await fetcher.fetch([link(URL_A)], 'a', never);
    expect(fetcher.heldBytes).toBe(40);
    await expect(fetcher.fetch([link(URL_A)], 'a', never)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    const other = await fetcher.fetch([link(URL_A)], 'b', never);
    other.release();
    first.release();
    first.release();
    expect(fetcher.heldBytes).toBe(0);
  });

  it('reads at most four images of an account at once, in turn', async () => {
    const answers: (() => void)[] = [];
    const fetch = async (_url: string, _init?: SafeFetchInit): Promise<SafeFetchResult> => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { ok: true, status: 200, headers: {}, body: PNG, truncated: false, remoteAddress: '' };
    };
    const fetcher = new ImageFetcher({ fetch, close: async () => undefined });
    const urls = Array.from({ length: 12 }, (_, i) => link(`https://example.com/${i}`));
    const all = fetcher.fetch(urls, 'a', never);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(4);
    while (answers.length > 0) {
      answers.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await all).byUrl.size).toBe(12);
  });

  it('stops when the caller leaves, and reports why', async () => {
    const left = new AbortController();
    const fetch = (_url: string, init: SafeFetchInit = {}): Promise<SafeFetchResult> =>
      new Promise((resolve) => {
        const canceled: SafeFetchResult = { ok: false, reason: 'canceled', message: 'canceled', reached: false };
        if (init.signal?.aborted) resolve(canceled);
        init.signal?.addEventListener('abort', () => resolve(canceled));
      });
    const fetcher = new ImageFetcher({ fetch, close: async () => undefined });
    const all = fetcher.fetch(
      Array.from({ length: 12 }, (_, i) => link(`https://example.com/${i}`)),
      'a',
      left.signal,
    );
    left.abort(new Error('the client left'));
    await expect(all).rejects.toThrow('the client left');
    expect(fetcher.heldBytes).toBe(0);
  });
});
