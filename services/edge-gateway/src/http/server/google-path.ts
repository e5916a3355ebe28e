const MODELS = '/v1beta/models/';

/**
 * Encodes the slash of a model's id in a path of Google's dialect. The vendor's library does not: it sends
 * `/v1beta/models/sandbox/echo-1:generateContent`. Returns other URLs unchanged.
 */
export function toOneSegment(url: string): string {
  if (!url.startsWith(MODELS)) return url;
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const model = path.slice(MODELS.length).replace(/\/$/, '').replaceAll('/', '%2F');
  return `${MODELS}${model}${url.slice(path.length)}`;
}
