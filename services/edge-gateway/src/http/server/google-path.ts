import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from './middleware.js';

const ROOT = '/v1beta/';
const MODELS = '/v1beta/models/';

type Asked = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders };

/** A method of a model whose id has a slash, without `models/`: `/v1beta/sandbox/echo-1:generateContent`. */
const BARE_MODEL = /^\/v1(?:beta)?\/(?!models\/)([^/?]+\/[^?]*:[a-zA-Z]+\/?(?:\?.*)?)$/;

/** Gives requests in Google's dialect the URLs of its routes. */
export const rewriteGooglePath: Middleware = (req, _res, next) => {
  req.url = toGoogleUrl(req);
  next();
};

/**
 * Returns the URL of a request as the routes of Google's dialect have it; other URLs unchanged. The vendor's library does not encode
 * the slash of a model's id: it sends `/v1beta/models/sandbox/echo-1:generateContent`. Other libraries take an id with a slash for a
 * whole resource name and leave out `models/`. Since version 3 the vendor's library calls the same paths under `/v1`, where other
 * vendors' libraries only read models.
 */
export function toGoogleUrl({ method, url = '', headers }: Asked): string {
  const bare = method === 'POST' ? BARE_MODEL.exec(url)?.[1] : undefined;
  const named = bare === undefined ? url : `${MODELS}${bare}`;
  const found = isVersionOne(method, named, headers) ? `${ROOT}${named.slice('/v1/'.length)}` : named;
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
