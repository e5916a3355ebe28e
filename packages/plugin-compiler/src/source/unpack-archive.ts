import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isAppError } from '@tollgate/errors';
import { type Extract, extract, type Header } from 'tar-stream';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { cleanPath } from '../tree/source-tree.js';
import { isSupporting, isWanted } from './wanted-files.js';

/** The content of one path of a repository, by paths relative to it. */
export interface Unpacked {
  files: Map<string, Buffer>;
  /** Symbolic links: path → unresolved value. */
  links: Map<string, string>;
  /** Paths of supporting files, whose content is not read. */
  supporting: string[];
  /** Whether the path exists. */
  exists: boolean;
}

/**
 * Unpacks the relevant part of a repository's archive, in memory. Nothing is written to disk.
 *
 * @throws AppError parse_failed for an archive that is broken, too large, or contains paths that lead outside it
 */
export async function unpackArchive(archive: Buffer, root: string): Promise<Unpacked> {
  const tar = extract();
  const stopped = new AbortController();
  const streams = [Readable.from([archive]), createGunzip(), boundedTo(compileLimits.unpackedBytes), tar] as const;
  const fed = pipeline(...streams, { signal: stopped.signal });
  // Each side ends the other explicitly: tar-stream and Node streams do not propagate every end.
  fed.catch((error: Error) => tar.destroy(error));
  const read = readEntries(tar, root);
  read.catch(() => stopped.abort());
  const [entries, feeding] = await Promise.allSettled([read, fed]);
  if (entries.status === 'fulfilled' && feeding.status === 'fulfilled') return entries.value;
  // An error in the content is more specific than the broken pipe that it causes.
  const reasons = [entries, feeding].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  throw reasons.find(isAppError) ?? parseFailed('the archive of the repository cannot be unpacked');
}

async function readEntries(tar: Extract, root: string): Promise<Unpacked> {
  const unpacked: Unpacked = { files: new Map(), links: new Map(), supporting: [], exists: root === '' };
  const budget = { entries: compileLimits.archiveEntries, bytes: compileLimits.treeBytes, files: compileLimits.files };
  for await (const entry of tar) {
    const { header } = entry;
    budget.entries -= 1;
    if (budget.entries < 0) throw parseFailed('the repository has too many files');
    const path = pathIn(header, root);
    if (path !== undefined) unpacked.exists = true;
    if (path && header.type === 'symlink') unpacked.links.set(path, header.linkname ?? '');
    if (path && header.type === 'file' && isWanted(path)) {
      spend(budget, header, path);
      unpacked.files.set(path, await collect(entry as AsyncIterable<Uint8Array>));
    } else {
      const { supporting } = unpacked;
      const isNamed = path !== undefined && header.type === 'file' && isSupporting(path);
      if (isNamed && supporting.length < compileLimits.files) supporting.push(path);
      entry.resume();
    }
  }
  return unpacked;
}

/**
 * Returns the path relative to the root: empty for the root itself, undefined outside it. GitHub archives have one top
 * folder.
 */
function pathIn({ name, type }: Header, root: string): string | undefined {
  if (type === 'link' || type === 'character-device' || type === 'block-device' || type === 'fifo') {
    throw parseFailed(`the repository contains a ${type}: ${name}`);
  }
  const path = cleanPath(name);
  if (path === undefined)
    throw parseFailed(`the archive contains a path that leads outside it: ${JSON.stringify(name)}`);
  const inside = path.split('/').slice(1).join('/');
  if (root === '') return inside;
  if (inside === root) return '';
  return inside.startsWith(`${root}/`) ? inside.slice(root.length + 1) : undefined;
}

function spend(budget: { bytes: number; files: number }, { size = 0 }: Header, path: string): void {
  if (size > compileLimits.fileBytes) throw parseFailed(`${path} is over ${compileLimits.fileBytes} bytes`);
  budget.bytes -= size;
  budget.files -= 1;
  if (budget.bytes < 0) throw parseFailed(`the files are over ${compileLimits.treeBytes} bytes`);
  if (budget.files < 0) throw parseFailed(`there are more than ${compileLimits.files} files`);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Limits the unpacked size, because a small archive can unpack to any size. */
function boundedTo(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(parseFailed(`the repository is over ${bytesMax} bytes`));
      else done(null, chunk);
    },
  });
}
