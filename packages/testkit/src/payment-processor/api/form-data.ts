import { invalid } from './processor-error.js';

/** Parameters as received: strings, nested by brackets. Indexed lists are objects with numbers as names. */
export type Params = { [name: string]: string | Params };

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const DEPTH_MAX = 10;

/** `a[b][0][c]=v&d[]=x` → `{a: {b: {0: {c: 'v'}}}, d: {0: 'x'}}`. */
export function parseForm(text: string): Params {
  const root: Params = Object.create(null) as Params;
  for (const [key, value] of new URLSearchParams(text)) put(root, key, value);
  return root;
}

function put(root: Params, key: string, value: string): void {
  const match = KEY.exec(key);
  const path = match && [match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1] ?? '')];
  if (!path || path.length > DEPTH_MAX) throw invalid(`Received unknown parameter: ${key}`, key);
  let at = root;
  for (const segment of path.slice(0, -1)) {
    const name = segment === '' ? String(Object.keys(at).length) : segment;
    const known = at[name];
    const next = typeof known === 'object' ? known : (Object.create(null) as Params);
    at[name] = next;
    at = next;
  }
  const last = path.at(-1) ?? '';
  at[last === '' ? String(Object.keys(at).length) : last] = value;
}

export function readText(params: Params | undefined, name: string): string | undefined {
  const value = params?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function readGroup(params: Params | undefined, name: string): Params | undefined {
  const value = params?.[name];
  return typeof value === 'object' ? value : undefined;
}

export function readList(params: Params | undefined, name: string): (string | Params)[] {
  const value = params?.[name];
  return typeof value === 'object' ? Object.values(value) : [];
}

export function readNumber(params: Params | undefined, name: string): number | undefined {
  const value = readText(params, name);
  if (value === undefined || value === '') return undefined;
  if (!/^-?\d+$/.test(value)) throw invalid(`Invalid integer: ${value}`, name);
  return Number(value);
}

export function readBoolean(params: Params | undefined, name: string): boolean | undefined {
  const value = readText(params, name);
  return value === undefined ? undefined : value === 'true' || value === '1';
}

export function readMetadata(params: Params | undefined): Record<string, string> {
  const group = readGroup(params, 'metadata') ?? {};
  return Object.fromEntries(
    Object.entries(group).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Rejects unknown names, so that a misspelled parameter is detected. */
export function allowOnly(params: Params, names: readonly string[]): void {
  for (const name of Object.keys(params)) {
    if (!names.includes(name) && name !== 'expand') throw invalid(`Received unknown parameter: ${name}`, name);
  }
}
