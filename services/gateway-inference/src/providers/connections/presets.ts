import type { Connection, ConnectionEntry } from '@tollgate/catalog';
import { ConfigError } from '@tollgate/runtime';
import { vertexBaseUrl } from '../vertex/vertex.js';
import { type Preset, presets } from './preset-table.js';

/**
 * Returns a connection with what its preset supplies. The entry's own fields win.
 *
 * @throws ConfigError for an unknown preset, a missing wire or address, or a secret that cannot be sent
 */
export function completeConnection(entry: ConnectionEntry): Connection {
  const preset = entry.preset === undefined ? undefined : findPreset(entry.id, entry.preset);
  const wire = entry.wire ?? preset?.wire;
  if (wire === undefined) throw new ConfigError(`connection ${entry.id}: wire: required without a preset`);
  const auth = entry.auth ?? preset?.auth ?? bearer;
  const baseUrl = entry.base_url ?? preset?.base_url ?? findBaseUrl(wire, auth);
  if (baseUrl === undefined) throw new ConfigError(`connection ${entry.id}: base_url: required`);
  if (!entry.keys.every((key) => isSendable(key, auth)))
    throw new ConfigError(`connection ${entry.id}: keys: a secret must be printable ASCII, without a line break`);
  return {
    ...entry,
    provider: entry.provider ?? preset?.provider ?? 'custom',
    wire,
    base_url: baseUrl,
    auth,
    quirks: { ...preset?.quirks, ...entry.quirks },
  };
}

const bearer = { type: 'bearer' } as const;
const SENDABLE = /^[\x20-\x7e]+$/;

/** Whether a header can carry the key. Credentials that are exchanged for tokens are not sent as headers. */
function isSendable(key: Connection['keys'][number], auth: Connection['auth']): boolean {
  if (auth.type === 'google' || (auth.type === 'azure' && auth.tenant_id !== undefined)) return key.secret !== '';
  return [key.secret, key.access_key_id, key.session_token].every((text) => text === undefined || SENDABLE.test(text));
}

/** Returns the address that a region or a location has at its vendor. */
function findBaseUrl(wire: Connection['wire'], auth: Connection['auth']): string | undefined {
  if (auth.type === 'aws') {
    const domain = auth.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    return `https://bedrock-runtime.${auth.region}.${domain}`;
  }
  if (auth.type !== 'google' || auth.project === undefined || auth.location === undefined) return undefined;
  return vertexBaseUrl(auth.project, auth.location, wire === 'anthropic' ? 'anthropic' : 'google');
}

function findPreset(id: string, name: string): Preset {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset) return preset;
  throw new ConfigError(`connection ${id}: preset: unknown, must be one of ${Object.keys(presets).join(', ')}`);
}
