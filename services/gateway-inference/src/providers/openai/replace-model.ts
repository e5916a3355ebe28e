/**
 * The same JSON text under another model name. The name is put in where it stands, so nothing else is parsed or
 * written again; a text in an unusual layout is written anew. A quoted `"model":"…"` inside a string has its quotes
 * escaped and so is never mistaken for the member.
 */
export function replaceModel(text: string, parsed: { model?: unknown }, modelName: string): string {
  if (parsed.model === modelName) return text;
  if (typeof parsed.model === 'string') {
    const value = JSON.stringify(parsed.model);
    for (const member of [`"model":${value}`, `"model": ${value}`]) {
      const at = text.indexOf(member);
      if (at === -1) continue;
      const start = at + member.length - value.length;
      return text.slice(0, start) + JSON.stringify(modelName) + text.slice(start + value.length);
    }
  }
  return JSON.stringify({ ...parsed, model: modelName });
}
