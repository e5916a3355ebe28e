import { parseAccept, readPreference } from './accept.js';

/** How the events of a stream are framed: one per line, server-sent events, or the elements of one JSON list. */
export type StreamFormat = 'ndjson' | 'sse' | 'json-array';

const FORMATS: Readonly<Record<string, StreamFormat>> = {
  'application/x-ndjson': 'ndjson',
  'text/event-stream': 'sse',
};
/** The only version of the stream protocol; a client that names another one would misread it. */
const PROFILE = 'responses-stream/v2';

/**
 * Returns the stream format that an `Accept` header prefers, by weight and then in the client's order, for an endpoint that
 * always streams. Returns undefined when no format is named, or only with `q=0` or an unknown profile.
 */
export function chooseStreamFormat(accept: string | undefined): StreamFormat | undefined {
  return findStream(accept)?.format;
}

/** The same for an endpoint that can also answer in one piece: undefined, too, if the client wants JSON more. */
export function chooseAnswerFormat(accept: string | undefined): StreamFormat | undefined {
  const stream = findStream(accept);
  return stream && stream.weight >= readPreference(accept, 'application/json').weight ? stream.format : undefined;
}

function findStream(accept: string | undefined): { format: StreamFormat; weight: number } | undefined {
  let best: { format: StreamFormat; weight: number } | undefined;
  for (const { type, parameters, weight } of parseAccept(accept)) {
    const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
    if (!format || weight === 0 || (parameters.get('profile') ?? PROFILE) !== PROFILE) continue;
    if (!best || weight > best.weight) best = { format, weight };
  }
  return best;
}
