import { replaceMember } from '../convert/replace-member.js';

/** The same JSON text under another model name; one without any is written anew with it. */
export function replaceModel(text: string, parsed: { model?: unknown }, modelName: string): string {
  if (parsed.model === modelName) return text;
  return replaceMember(text, ['model'], modelName) ?? JSON.stringify({ ...parsed, model: modelName });
}
