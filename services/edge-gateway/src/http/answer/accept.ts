/** How much a client wants a media type. */
export interface Preference {
  /** 0 to 1; 0 if it is not accepted. */
  weight: number;
  /** Whether the header names the type itself, not only a range such as `text/*`. */
  isNamed: boolean;
}

/** One entry of an `Accept` header. */
export interface AcceptItem {
  /** Lower case, without parameters. */
  type: string;
  /** By lower-case name, without quotes. */
  parameters: ReadonlyMap<string, string>;
  weight: number;
}

const NOT_ACCEPTED: Preference = { weight: 0, isNamed: false };

/** Returns the entries of an `Accept` header. A weight that is no number from 0 to 1 counts as 0. */
export function parseAccept(accept = ''): AcceptItem[] {
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
