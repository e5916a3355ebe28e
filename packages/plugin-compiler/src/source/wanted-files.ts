import { parseFailed } from '../parse-failed.js';
import { MARKETPLACE_FILE } from '../tree/marketplace.js';

/** Whether the compiler reads a file: markdown, manifests, and files that it reports as not compiled. */
export function isWanted(path: string): boolean {
  return /\.md$/i.test(path) || WANTED.has(path);
}

/**
 * Whether a file may be what instructions refer to. A workflow does not contain it, so the compiler names it in a warning.
 * At the root only a skill's files are meant.
 */
export function isSupporting(path: string): boolean {
  return isAtRoot(path)
    ? !FOR_READERS.test(path) && !WANTED.has(path)
    : /^(?:references?|scripts|assets|resources|templates|examples)\//i.test(path);
}

export function isAtRoot(path: string): boolean {
  return !path.includes('/');
}

/** Manifests, hidden files, and files for the people who publish or install a skill. */
const FOR_READERS =
  /^(?:\.|(?:skill|plugin)\.md$|(?:readme|licen[cs]e|notice|changelog|changes|history|contributing|code_of_conduct|security|authors)(?:$|[.-]))/i;

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
