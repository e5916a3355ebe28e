import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** Entry at a path: a file's text or bytes, a symbolic link, or an entry that no valid archive has. */
export type TreeEntry =
  | string
  | Buffer
  | { link: string }
  /** Packed under this very name, outside of the archive's folder. */
  | { rawName: string; text: string }
  | { hardLink: string };

/** Files of a repository by path. */
export type Tree = Readonly<Record<string, TreeEntry>>;

/** Returns an id that depends on the tree alone. */
export function toCommitId(tree: Tree): string {
  return createHash('sha1').update(JSON.stringify(tree)).digest('hex');
}

/** A repository's archive as codeload packs it: one folder named after the repository and the commit, which it names too. */
export async function packArchive(repo: string, commit: string, tree: Tree): Promise<Buffer> {
  const root = `${repo}-${commit}`;
  const tar = pack();
  const chunks: Buffer[] = [];
  const packed = (async () => {
    for await (const chunk of tar) chunks.push(chunk as Buffer);
  })();
  tar.entry({ name: `${root}/`, type: 'directory', mode: 0o775 });
  for (const folder of listFolders(tree)) tar.entry({ name: `${root}/${folder}/`, type: 'directory', mode: 0o775 });
  for (const [path, entry] of Object.entries(tree)) {
    const name = `${root}/${path}`;
    if (typeof entry === 'string' || Buffer.isBuffer(entry)) tar.entry({ name, mode: 0o664 }, entry);
    else if ('link' in entry) tar.entry({ name, type: 'symlink', linkname: entry.link });
    else if ('hardLink' in entry) tar.entry({ name, type: 'link', linkname: entry.hardLink });
    else tar.entry({ name: entry.rawName }, entry.text);
  }
  tar.finalize();
  await packed;
  return gzipSync(Buffer.concat([globalHeader(`52 comment=${commit}\n`), ...chunks]));
}

function listFolders(tree: Tree): string[] {
  const folders = new Set<string>();
  for (const path of Object.keys(tree)) {
    const parts = path.split('/').slice(0, -1);
    for (let i = 1; i <= parts.length; i++) folders.add(parts.slice(0, i).join('/'));
  }
  return [...folders].sort();
}

const BLOCK_BYTES = 512;
const MEBIBYTE = 1_048_576;

/** Returns a small archive of one file that unpacks to `mebibytes` MiB of zeros. */
export function packBomb(mebibytes: number): Buffer {
  const zeros = gzipSync(Buffer.alloc(MEBIBYTE));
  const header = gzipSync(headerBlock('repo-c/big.bin', mebibytes * MEBIBYTE, '0'));
  return Buffer.concat([header, ...Array.from({ length: mebibytes }, () => zeros)]);
}

/** Returns the header in which git names the commit of an archive; the library writes none. */
function globalHeader(record: string): Buffer {
  const content = Buffer.alloc(BLOCK_BYTES);
  content.write(record, 0, 'latin1');
  return Buffer.concat([headerBlock('pax_global_header', record.length, 'g'), content]);
}

function headerBlock(name: string, size: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (text: string, at: number) => header.write(text, at, 'latin1');
  put(name, 0);
  put('0000666\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')} `, 124);
  put('00000000000 ', 136);
  put(`        ${type}`, 148);
  put('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
