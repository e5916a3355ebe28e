import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { MessagesHost } from '../contract/messages-host.js';
import { filterObjects } from '../convert/answer-reading.js';

/**
 * Returns the base URL of a publisher's models at a location: a region, `global`, or a group of regions (`us`, `eu`).
 *
 * Source: `@anthropic-ai/vertex-sdk` 1.1 (`AnthropicVertex`), cloud.google.com/vertex-ai/generative-ai/docs/learn/locations, read 2026-11-30.
 */
export function vertexBaseUrl(project: string, location: string, publisher: 'google' | 'anthropic'): string {
  return `https://${toHost(location)}/v1/projects/${project}/locations/${location}/publishers/${publisher}`;
}

function toHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

const VERSION = 'vertex-2023-10-16';

/**
 * Features that Vertex AI knows, by the vendor's names, with its own name of each; it refuses requests with others.
 *
 * Source: `vertex_ai` of litellm/anthropic_beta_headers_config.json in BerriAI/litellm at 030dd40a, read 2026-11-30.
 */
const vertexBetas: Record<string, string> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
  'computer-use-2025-01-24': 'computer-use-2025-01-24',
  'computer-use-2025-11-24': 'computer-use-2025-11-24',
  'context-management-2025-06-27': 'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14': 'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01': 'per-turn-control-2026-07-01',
  'thinking-binding-controls-2026-08-01': 'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18': 'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19': 'tool-search-tool-2025-10-19',
  'web-search-2025-03-05': 'web-search-2025-03-05',
};

/**
 * Claude on Vertex AI: the vendor's own bodies, whose model the path names. The base URL ends with `/publishers/anthropic`.
 *
 * Source: `@anthropic-ai/vertex-sdk` 1.1 (`#adaptRequest`), read 2026-11-30.
 */
export const claudeHost: MessagesHost = {
  toModelName: ({ upstreamModel }) => upstreamModel,
  toRequest(body, upstreamModel, betas) {
    const { model: _model, ...rest } = body;
    const known = [...new Set(betas.flatMap((name) => vertexBetas[name] ?? []))];
    const method = rest.stream === true ? 'streamRawPredict' : 'rawPredict';
    const hosted: JsonObject = { anthropic_version: VERSION, ...rest };
    const headers = known.length > 0 ? ['anthropic-beta', known.join(',')] : [];
    return { path: `/models/${encodeURIComponent(upstreamModel)}:${method}`, body: hosted, headers };
  },
  toWire: (wire) => wire,
};

/**
 * Returns a request of the Gemini API in the form that Vertex AI accepts: each turn names its role, and members that only the Gemini API
 * has are left out.
 *
 * Source: `generateContentParametersToVertex` of `@google/genai` 2.32 (parameters "only supported in Gemini Developer API mode"), read
 * 2026-11-30.
 */
export function toVertexBody(body: JsonObject): JsonObject {
  const { contents, toolConfig, store: _store, ...rest } = body;
  const turns = filterObjects(Array.isArray(contents) ? contents : [contents]);
  const hosted: JsonObject = { ...rest, contents: turns.map((turn) => ({ role: 'user', ...turn })) };
  if (!isJsonObject(toolConfig)) return hosted;
  const { includeServerSideToolInvocations: _reported, ...config } = toolConfig;
  if (Object.keys(config).length > 0) hosted.toolConfig = config;
  return hosted;
}
