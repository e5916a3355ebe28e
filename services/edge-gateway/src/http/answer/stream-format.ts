/** How the events of a stream are framed: one per line, server-sent events, or the elements of one JSON list. */
export type StreamFormat = 'ndjson' | 'sse' | 'json-array';

const FORMATS: Readonly<Record<string, StreamFormat>> = {
  'application/x-ndjson': 'ndjson',
  'text/event-stream': 'sse',
};
/** The only version of the stream protocol; a client that names another one would misread it. */
const PROFILE = 'responses-stream/v2';

/**
 * Returns the stream format that an `Accept` header prefers: by weight, then in the client's order. Returns undefined, for
 * a plain answer, when no format is named, or only with `q=0` or an unknown profile.
 */
export function chooseStreamFormat(accept: string | undefined): StreamFormat | undefined {
  if (!accept) return undefined;
  let best: { format: StreamFormat; weight: number } | undefined;
  for (const item of accept.split(',')) {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim());
    const format = FORMATS[type.toLowerCase()];
    const weight = Number(findParameter(parameters, 'q') ?? 1);
    if (!format || !(weight > 0) || (findParameter(parameters, 'profile') ?? PROFILE) !== PROFILE) continue;
    if (!best || weight > best.weight) best = { format, weight };
  }
  return best?.format;
}

/** Returns the value without quotes. */
function findParameter(parameters: readonly string[], name: string): string | undefined {
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split('=', 2);
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}
