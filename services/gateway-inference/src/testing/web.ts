import type { SafeFetchClient, SafeFetchInit, SafeFetchResult } from '@tollgate/safe-fetch';

export type WebAnswer = { status?: number; headers?: Record<string, string>; body?: string | Buffer } | SafeFetchResult;

/** The web as a table of addresses. */
export function createWeb(pages: Record<string, WebAnswer>) {
  const asked: { url: string; init: SafeFetchInit }[] = [];
  const client: SafeFetchClient = {
    fetch: async (url, init = {}) => {
      asked.push({ url, init });
      const page = pages[url];
      if (!page) return { ok: false, reason: 'dns', message: 'the host name could not be resolved', reached: false };
      if ('ok' in page) return page;
      const { status = 200, headers = { 'content-type': 'text/html' }, body = '' } = page;
      return { ok: true, status, headers, body: Buffer.from(body), truncated: false, remoteAddress: '192.0.2.1' };
    },
    close: async () => undefined,
  };
  return { asked, client };
}
