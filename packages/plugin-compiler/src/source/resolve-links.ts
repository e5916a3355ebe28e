import { posix } from 'node:path';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { isWanted } from './wanted-files.js';

const HOPS_MAX = 8;

export interface ResolvedLinks {
  /** A file's path through a link → the file's own path. */
  aliases: Map<string, string>;
  /** Links that do not lead to a usable file. */
  broken: string[];
}

/**
 * Follows symbolic links to files and folders inside the root.
 *
 * @throws AppError parse_failed for any link that leads outside it
 */
export function resolveLinks(files: Iterable<string>, links: ReadonlyMap<string, string>): ResolvedLinks {
  const paths = [...files];
  const aliases = new Map<string, string>();
  const broken: string[] = [];
  for (const link of [...links.keys()].sort()) {
    const target = findTarget(link, links);
    const reached = target === undefined ? [] : paths.filter((path) => path === target || isBelow(path, target));
    if (reached.length === 0) broken.push(link);
    for (const path of reached) {
      const alias = link + path.slice(target!.length);
      if (isWanted(alias)) aliases.set(alias, path);
    }
    if (aliases.size > compileLimits.files) throw parseFailed(`there are more than ${compileLimits.files} files`);
  }
  return { aliases, broken };
}

/** Returns the final target of a link; undefined for a cycle. */
function findTarget(link: string, links: ReadonlyMap<string, string>): string | undefined {
  let path = link;
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const next = [...pathPrefixes(path)].find((prefix) => links.has(prefix));
    if (next === undefined) return path;
    path = follow(next, links.get(next)!) + path.slice(next.length);
  }
  return undefined;
}

/** Resolves one link. The root itself is not allowed, because it would contain itself. */
function follow(link: string, value: string): string {
  const target = value.startsWith('/')
    ? '..'
    : posix.normalize(posix.join(posix.dirname(link), value)).replace(/\/$/, '');
  if (target === '.' || target === '..' || target.startsWith('../')) {
    throw parseFailed(`the link ${link} leads outside the plugin`);
  }
  return target;
}

/** `a`, `a/b`, `a/b/c` */
function* pathPrefixes(path: string): Generator<string> {
  const parts = path.split('/');
  for (let i = 1; i <= parts.length; i++) yield parts.slice(0, i).join('/');
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
