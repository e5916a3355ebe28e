import { filterObjects, isObject, type Json } from '../convert/answer-reading.js';

/**
 * Returns a request of the Gemini API in the form that Vertex AI accepts: each turn names its role, and members that only the Gemini API
 * has are left out.
 *
 * Source: `generateContentParametersToVertex` of `@google/genai` 2.32 (parameters "only supported in Gemini Developer API mode"), read
 * 2026-11-30.
 */
export function toVertexBody(body: Json): Json {
  const { contents, toolConfig, store: _store, ...rest } = body;
  const turns = filterObjects(Array.isArray(contents) ? contents : [contents]);
  const hosted: Json = { ...rest, contents: turns.map((turn) => ({ role: 'user', ...turn })) };
  if (!isObject(toolConfig)) return hosted;
  const { includeServerSideToolInvocations: _reported, ...config } = toolConfig;
  if (Object.keys(config).length > 0) hosted.toolConfig = config;
  return hosted;
}
