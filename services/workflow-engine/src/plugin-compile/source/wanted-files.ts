import { parseFailed } from '../parse-failed.js';
import { MARKETPLACE_FILE } from '../tree/marketplace.js';

/** Whether a file can have a part in a plugin: markdown, the manifests, and what is told as not compiled. */
export function isWanted(path: string): boolean {
  return /\.md$/i.test(path) || WANTED.has(path);
}

const WANTED = new Set([
  '.claude-plugin/plugin.json',
  'plugin.json',
  MARKETPLACE_FILE,
  'hooks/hooks.json',
  '.mcp.json',
  '.lsp.json',
]);

/** @throws AppError parse_failed for what no database could keep and no model read */
export function checkedText(path: string, text: string): string {
  if (/[\0\p{Surrogate}]/u.test(text)) throw parseFailed(`${path} is no text`);
  return text;
}
