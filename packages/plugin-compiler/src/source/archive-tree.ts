import { parseFailed } from '../parse-failed.js';
import { type SourceFile, type SourceTree, sortedByPath, type Warning } from '../tree/source-tree.js';
import { resolveLinks } from './resolve-links.js';
import { unpackArchive } from './unpack-archive.js';
import { checkedText } from './wanted-files.js';

/** Returns the tree at one path of a repository's archive; undefined when the path does not exist. */
export async function archiveTree(archive: Buffer, root: string): Promise<SourceTree | undefined> {
  const { files, links, supporting, exists } = await unpackArchive(archive, root);
  if (!exists) return undefined;
  const { aliases, broken } = resolveLinks(files.keys(), links);
  const warnings: Warning[] = broken.map((file) => ({ file, key: 'link', message: 'does not lead to a usable file' }));
  const texts = new Map<string, SourceFile>();
  for (const [path, content] of files) texts.set(path, { text: decode(path, content), realPath: path });
  for (const [alias, path] of aliases) {
    if (!texts.has(alias)) texts.set(alias, texts.get(path)!);
  }
  return { files: sortedByPath(texts), warnings, supporting: supporting.sort() };
}

function decode(path: string, content: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw parseFailed(`${path} is not UTF-8 text`);
  }
  return checkedText(path, text);
}
