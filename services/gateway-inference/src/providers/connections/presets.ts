import type { Connection, ConnectionEntry } from '@tollgate/catalog';
import { ConfigError } from '@tollgate/runtime';

/** The members that a connection to a known server may leave out. A server that everyone runs at an address of their own has no base URL. */
export type Preset = Pick<Connection, 'wire' | 'auth'> & Partial<Pick<Connection, 'provider' | 'base_url' | 'quirks'>>;

const bearer = { type: 'bearer' } as const;

/** Known servers by the name that connections use. */
export const presets: Readonly<Record<string, Preset>> = {
  openai: { provider: 'openai', wire: 'openai-chat', auth: bearer, base_url: 'https://api.openai.com/v1' },
  anthropic: {
    provider: 'anthropic',
    wire: 'anthropic',
    auth: { type: 'header', name: 'x-api-key', prefix: '' },
    base_url: 'https://api.anthropic.com',
  },
  gemini: {
    provider: 'google-ai-studio',
    wire: 'gemini',
    auth: { type: 'header', name: 'x-goog-api-key', prefix: '' },
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
  },
  xai: {
    provider: 'xai',
    wire: 'openai-chat',
    auth: bearer,
    base_url: 'https://api.x.ai/v1',
    quirks: { responses: false, top_k: false },
  },
  vllm: { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, tokenize: 'vllm' } },
  'llama.cpp': { wire: 'openai-chat', auth: bearer, quirks: { top_k: true, tokenize: 'llama.cpp' } },
};

/**
 * Returns a connection with what its preset supplies. The entry's own fields win.
 *
 * @throws ConfigError for an unknown preset, or if a wire or an address is missing
 */
export function completeConnection(entry: ConnectionEntry): Connection {
  const preset = entry.preset === undefined ? undefined : findPreset(entry.id, entry.preset);
  const wire = entry.wire ?? preset?.wire;
  const baseUrl = entry.base_url ?? preset?.base_url;
  if (wire === undefined) throw new ConfigError(`connection ${entry.id}: wire: required without a preset`);
  if (baseUrl === undefined) throw new ConfigError(`connection ${entry.id}: base_url: required`);
  return {
    ...entry,
    provider: entry.provider ?? preset?.provider ?? 'custom',
    wire,
    base_url: baseUrl,
    auth: entry.auth ?? preset?.auth ?? bearer,
    quirks: { ...preset?.quirks, ...entry.quirks },
  };
}

function findPreset(id: string, name: string): Preset {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset) return preset;
  throw new ConfigError(`connection ${id}: preset: unknown, must be one of ${Object.keys(presets).join(', ')}`);
}
