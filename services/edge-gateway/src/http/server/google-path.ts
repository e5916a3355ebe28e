import type { IncomingHttpHeaders } from 'node:http';

const ROOT = '/v1beta/';
const MODELS = '/v1beta/models/';

type Asked = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders };

/**
 * Returns the URL of a request as the routes of Google's dialect have it; other URLs unchanged. The vendor's library does not encode
 * the slash of a model's id: it sends `/v1beta/models/sandbox/echo-1:generateContent`. Since version 3 it calls the same paths
 * under `/v1`, where other vendors' libraries only read models.
 */
export function toGoogleUrl({ method, url = '', headers }: Asked): string {
  const found = isVersionOne(method, url, headers) ? `${ROOT}${url.slice('/v1/'.length)}` : url;
  if (!found.startsWith(MODELS)) return found;
  const queryStart = found.indexOf('?');
  const path = queryStart === -1 ? found : found.slice(0, queryStart);
  const model = path.slice(MODELS.length).replace(/\/$/, '').replaceAll('/', '%2F');
  return `${MODELS}${model}${found.slice(path.length)}`;
}

function isVersionOne(method: string | undefined, url: string, headers: IncomingHttpHeaders): boolean {
  if (!/^\/v1\/models(?![^/?])/.test(url)) return false;
  const isGoogleClient = headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined;
  return isGoogleClient || (method === 'POST' && /^\/v1\/models\/[^?]+:/.test(url));
}
