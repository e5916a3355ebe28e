/** How much a client wants a media type. */
interface Preference {
  /** 0 to 1; 0 if it is not accepted. */
  weight: number;
  /** Whether the header names the type itself, not only a range such as `text/*`. */
  isNamed: boolean;
}

/** One entry of an `Accept` header. */
interface AcceptItem {
  /** Lower case, without parameters. */
  type: string;
  /** By lower-case name, without quotes. */
  parameters: ReadonlyMap<string, string>;
  weight: number;
}

const NOT_ACCEPTED: Preference = { weight: 0, isNamed: false };

/** Returns the entries of an `Accept` header. A weight that is no number from 0 to 1 counts as 0. */
function parseAccept(accept = ''): AcceptItem[] {
  return accept.split(',').map((item) => {
    const [type = '', ...rest] = item.split(';').map((part) => part.trim());
    const parameters = new Map(rest.map(toParameter));
    const q = parameters.get('q');
    const weight = q === undefined ? 1 : Number(q);
    return { type: type.toLowerCase(), parameters, weight: weight > 0 && weight <= 1 ? weight : 0 };
  });
}

/** Returns the preference for a type by the entry that names it most exactly, as RFC 9110 has it. No header accepts everything. */
export function readPreference(accept: string | undefined, type: string): Preference {
  if (!accept) return { weight: 1, isNamed: false };
  const items = parseAccept(accept);
  const [group] = type.split('/');
  for (const range of [type, `${group}/*`, '*/*']) {
    const weights = items.filter((item) => item.type === range).map(({ weight }) => weight);
    if (weights.length > 0) return { weight: Math.max(...weights), isNamed: range === type };
  }
  return NOT_ACCEPTED;
}

/** Whether the client names HTML, as browsers do, and wants JSON no more than that. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = readPreference(accept, 'text/html');
  return html.isNamed && html.weight > 0 && html.weight >= readPreference(accept, 'application/json').weight;
}

function toParameter(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')];
}

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
