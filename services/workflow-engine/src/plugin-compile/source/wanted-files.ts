import { parseFailed } from '../parse-failed.js';
import { MARKETPLACE_FILE } from '../tree/marketplace.js';

/** Whether the compiler reads a file: markdown, manifests, and files that it reports as not compiled. */
export function isWanted(path: string): boolean {
  return /\.md$/i.test(path) || WANTED.has(path);
}

/** Whether a file may be what instructions refer to. A workflow does not contain it, so the compiler names it in a warning. */
export function isSupporting(path: string): boolean {
  return /^(?:references?|scripts|assets|resources|templates|examples)\//i.test(path);
}

const WANTED = new Set([
  '.claude-plugin/plugin.json',
  'plugin.json',
  MARKETPLACE_FILE,
  'hooks/hooks.json',
  '.mcp.json',
  '.lsp.json',
]);

/** Returns the text. @throws AppError parse_failed for characters that databases and models cannot handle */
export function checkedText(path: string, text: string): string {
  if (/[\0\p{Surrogate}]/u.test(text)) throw parseFailed(`${path} is not text`);
  return text;
}
