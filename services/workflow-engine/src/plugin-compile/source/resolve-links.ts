import { posix } from 'node:path';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { isWanted } from './wanted-files.js';

const HOPS_MAX = 8;

export interface ResolvedLinks {
  /** Where a file shows up through a link → the file itself. */
  aliases: Map<string, string>;
  /** Links that lead to nothing of use. */
  broken: string[];
}

/**
 * Follows symbolic links to files and folders inside of the root.
 *
 * @throws AppError parse_failed for one that leads out of it, whatever it is for
 */
export function resolveLinks(files: Iterable<string>, links: ReadonlyMap<string, string>): ResolvedLinks {
  const paths = [...files];
  const aliases = new Map<string, string>();
  const broken: string[] = [];
  for (const link of [...links.keys()].sort()) {
    const target = targetOf(link, links);
    const behind = target === undefined ? [] : paths.filter((path) => path === target || isBelow(path, target));
    if (behind.length === 0) broken.push(link);
    for (const path of behind) {
      const alias = link + path.slice(target!.length);
      if (isWanted(alias)) aliases.set(alias, path);
    }
    if (aliases.size > compileLimits.files) throw parseFailed(`there are more than ${compileLimits.files} files`);
  }
  return { aliases, broken };
}

/** Undefined for a circle. */
function targetOf(link: string, links: ReadonlyMap<string, string>): string | undefined {
  let path = link;
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const next = [...prefixesOf(path)].find((prefix) => links.has(prefix));
    if (next === undefined) return path;
    path = follow(next, links.get(next)!) + path.slice(next.length);
  }
  return undefined;
}

/** Where a link says it leads; the root itself is out of bounds too, since it would hold itself. */
function follow(link: string, says: string): string {
  const target = says.startsWith('/')
    ? '..'
    : posix.normalize(posix.join(posix.dirname(link), says)).replace(/\/$/, '');
  if (target === '.' || target === '..' || target.startsWith('../')) {
    throw parseFailed(`the link ${link} leads out of the plugin`);
  }
  return target;
}

/** `a`, `a/b`, `a/b/c` */
function* prefixesOf(path: string): Generator<string> {
  const parts = path.split('/');
  for (let i = 1; i <= parts.length; i++) yield parts.slice(0, i).join('/');
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
