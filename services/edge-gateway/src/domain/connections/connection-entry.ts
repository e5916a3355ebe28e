import { isDeepStrictEqual } from 'node:util';
import type { createConnectionBody, updateConnectionBody } from '@tollgate/api/connections';
import type { z } from 'zod';

/** The settings of a connection that may be shown, as they are stored. */
export interface ConnectionEntry {
  preset?: string;
  wire?: string;
  base_url?: string;
  auth?: Auth;
  timeouts?: Timeouts;
  keys: ShownKey[];
  header_names: string[];
}

type Auth = NonNullable<Created['auth']>;
type Timeouts = NonNullable<Created['timeouts']>;
type Created = z.output<typeof createConnectionBody>;
type Settings = Omit<z.output<typeof updateConnectionBody>, 'name' | 'mode' | 'models'>;

interface ShownKey {
  id?: string | undefined;
  last_four: string;
  access_key_id?: string | undefined;
  weight: number;
}

/** A shorter secret would be shown in large part. */
const SHOWN_SECRET_CHARS_MIN = 12;

/** Returns the entry that settings make of an earlier one: absent members stay, null removes them. */
export function toEntry(
  before: ConnectionEntry,
  { preset, wire, base_url, auth, timeouts, keys, headers }: Settings,
): ConnectionEntry {
  const changed = Object.entries({ preset, wire, base_url, auth, timeouts }).filter(([, value]) => value !== undefined);
  const merged = { ...before, ...Object.fromEntries(changed) };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  return {
    ...kept,
    keys: keys ? keys.map(toShownKey) : before.keys,
    header_names: headers ? Object.keys(headers) : before.header_names,
  };
}

/** Settings that decide which server gets the secrets. */
const DESTINATION = ['preset', 'base_url', 'auth'] as const;

/**
 * Returns the members whose secrets an update must bring, because it leads to another server than before: a stored secret must
 * not reach an address that its owner did not choose it for.
 */
export function secretsToBring(
  before: ConnectionEntry,
  after: ConnectionEntry,
  { keys, headers }: Pick<Settings, 'keys' | 'headers'>,
): ('keys' | 'headers')[] {
  const isSame = DESTINATION.every((member) => isDeepStrictEqual(before[member], after[member]));
  if (isSame) return [];
  return [
    ...(before.keys.length > 0 && !keys ? (['keys'] as const) : []),
    ...(before.header_names.length > 0 && !headers ? (['headers'] as const) : []),
  ];
}

/** Returns the secrets that settings bring, by the member that they belong to; undefined if they bring none. */
export function toSecrets({ keys, headers }: Pick<Settings, 'keys' | 'headers'>): object | undefined {
  if (!keys && !headers) return undefined;
  const secrets = keys?.map(({ secret, session_token: token }) => ({ secret, ...(token && { session_token: token }) }));
  return { ...(secrets && { keys: secrets }), ...(headers && { headers }) };
}

function toShownKey({ id, secret, access_key_id, weight }: NonNullable<Settings['keys']>[number]): ShownKey {
  const last_four = secret.length < SHOWN_SECRET_CHARS_MIN ? '' : secret.slice(-4);
  return { ...(id && { id }), last_four, ...(access_key_id && { access_key_id }), weight };
}
