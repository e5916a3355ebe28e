import { yieldLoop } from '@tollgate/runtime';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import type { Manifest } from './manifest.js';
import { cleanPath, type SourceTree, type Warning } from './source-tree.js';

/**
 * The markdown files of one kind: those of the default folder at the root, and those that the manifest lists as files,
 * folders or patterns with `*`. Sorted by path, each file once. `agents` folders inside of skills are not the plugin's.
 *
 * @throws AppError parse_failed for a listed path that leads outside the plugin, and for too many of them
 */
export async function listedFiles(
  { files }: SourceTree,
  manifest: Manifest,
  kind: 'agents' | 'commands',
  warn: (warning: Warning) => void,
): Promise<string[]> {
  if (manifest[kind].length > compileLimits.listedPaths) {
    throw parseFailed(`${manifest.path}: ${kind} lists more than ${compileLimits.listedPaths} paths`);
  }
  const markdown = [...files.keys()].filter((path) => /\.md$/i.test(path));
  const found = new Set(markdown.filter((path) => path.startsWith(`${kind}/`)));
  for (const listed of manifest[kind]) {
    const matches = matching(listed, markdown, manifest, kind);
    if (matches.length === 0)
      warn({ file: manifest.path, key: kind, message: `lists ${listed}, which does not exist` });
    for (const path of matches) found.add(path);
    await yieldLoop();
  }
  const real = new Set<string>();
  return [...found].sort().filter((path) => {
    const { realPath } = files.get(path)!;
    if (real.has(realPath)) return false;
    real.add(realPath);
    return true;
  });
}

function matching(listed: string, markdown: readonly string[], manifest: Manifest, kind: string): string[] {
  // The root means the default folder.
  const isRoot = listed === '.' || listed === './';
  const path = isRoot ? kind : cleanPath(listed);
  if (path === undefined)
    throw parseFailed(`${manifest.path}: ${kind} lists ${listed}, which leads outside the plugin`);
  if (!path.includes('*')) return markdown.filter((file) => file === path || file.startsWith(`${path}/`));
  const pattern = path.split('/');
  return markdown.filter((file) => matches(file.split('/'), pattern) && !isInSkill(file));
}

/** Whether the pattern matches the path or one of its folders. `*` matches any characters except a slash. */
function matches(file: readonly string[], pattern: readonly string[]): boolean {
  if (pattern.length > file.length) return false;
  return pattern.every((part, i) => matchesPart(file[i]!, part));
}

/** Matches the pieces between stars in order, in linear time for any pattern. */
function matchesPart(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === first;
  const last = rest.pop()!;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > name.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}

function isInSkill(path: string): boolean {
  return path.startsWith('skills/') || path.includes('/skills/');
}
