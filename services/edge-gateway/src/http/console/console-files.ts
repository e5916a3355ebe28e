import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

/** A file of the built console, in every encoding that the build has written. */
export interface ConsoleFile {
  type: string;
  cacheControl: string;
  /** By content coding, best first; the last is `identity`. */
  bodies: readonly { coding: string; bytes: Buffer; etag: string }[];
}

export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
] as const;

/** Folder of the files whose names contain a hash of their content. */
const HASHED = /^assets\//;

/** Reads the built console into memory, by path within it. Undefined where it is not built, as in tests of the edge alone. */
export async function readConsoleFiles(folder = findConsole()): Promise<ConsoleFiles | undefined> {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return undefined;
  const names = await readdir(folder, { recursive: true });
  const known = names.map((name) => name.replaceAll('\\', '/')).filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(await Promise.all(known.map(async (name) => [name, await readConsoleFile(folder, name)] as const)));
}

async function readConsoleFile(folder: string, name: string): Promise<ConsoleFile> {
  const written = CODINGS.filter(([, suffix]) => existsSync(join(folder, `${name}${suffix}`)));
  const bodies = written.map(async ([coding, suffix]) => {
    const bytes = await readFile(join(folder, `${name}${suffix}`));
    return { coding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
  });
  return {
    type: TYPES[extname(name)] as string,
    cacheControl: HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    bodies: await Promise.all(bodies),
  };
}

/** The package is in node_modules, in the repository as in an image. */
function findConsole(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@tollgate/console/package.json')), 'dist');
  } catch {
    return undefined;
  }
}
