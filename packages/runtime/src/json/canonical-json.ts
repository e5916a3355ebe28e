import { ExactNumber } from './exact-json.js';

/**
 * JSON with the members of every object sorted by name, without white space; members that are undefined are left out.
 * An `ExactNumber` is written as it was read. Equal documents have equal text, so digests of it are keys: a change of this text
 * invalidates the stored ones.
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
