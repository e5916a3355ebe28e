import { type Connection, connectionSchema } from '@tollgate/catalog';
import { z } from 'zod';
import { completeConnection } from './presets.js';

/** The variables of one vendor. */
export interface VendorSettings {
  apiKey: string | undefined;
  baseUrl: string | undefined;
}

export interface DefaultSettings {
  openai: VendorSettings & { hasResponses: boolean; tokenize: 'vllm' | 'llama.cpp' | undefined };
  anthropic: VendorSettings;
  google: VendorSettings;
  xai: VendorSettings;
}

const schema = connectionSchema(z.string());

/** Returns the connections that the variables of the vendors describe. Each has the name of its provider. */
export function toDefaultConnections({ openai, anthropic, google, xai }: DefaultSettings): Connection[] {
  const { hasResponses, tokenize } = openai;
  const quirks = { ...(hasResponses && { responses: true }), ...(tokenize && { tokenize }) };
  return [
    ...toConnection('openai', 'openai', openai, quirks),
    ...toConnection('anthropic', 'anthropic', anthropic),
    ...toConnection('google-ai-studio', 'gemini', google),
    ...toConnection('xai', 'xai', xai),
  ];
}

/** Returns nothing without a key and a base URL: the provider is not configured. A base URL alone suits local servers. */
function toConnection(id: string, preset: string, { apiKey, baseUrl }: VendorSettings, quirks = {}): Connection[] {
  if (apiKey === undefined && baseUrl === undefined) return [];
  const entry = schema.parse({
    id,
    preset,
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    keys: apiKey === undefined ? [] : [{ secret: apiKey }],
    quirks,
  });
  return [completeConnection(entry)];
}
