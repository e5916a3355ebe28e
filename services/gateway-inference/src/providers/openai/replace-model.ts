import { replaceMember } from '../convert/replace-member.js';

/** Replaces the model name in a JSON text. A text without one is serialized again with it. */
export function replaceModel(text: string, parsed: { model?: unknown }, modelName: string): string {
  if (parsed.model === modelName) return text;
  return replaceMember(text, ['model'], modelName) ?? JSON.stringify({ ...parsed, model: modelName });
}
