import { AppError } from '@tollgate/errors';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { cleanPath, type SourceFile, type SourceTree, sortedByPath } from '../tree/source-tree.js';
import { checkedText, isSupporting, isWanted } from './wanted-files.js';

/**
 * Builds the tree of uploaded files.
 *
 * @throws AppError VALIDATION_ERROR for an invalid path, parse_failed over a limit
 */
export function filesTree(contentsByPath: Readonly<Record<string, string>>): SourceTree {
  const files = new Map<string, SourceFile>();
  let bytes = 0;
  for (const [key, text] of Object.entries(contentsByPath)) {
    const path = key.length > compileLimits.pathChars ? undefined : cleanPath(key);
    if (path === undefined) throw badPath(key, 'must be a relative path without ".."');
    if (files.has(path)) throw badPath(key, `repeats ${path}`);
    const size = Buffer.byteLength(text);
    if (size > compileLimits.fileBytes) throw parseFailed(`${path} is over ${compileLimits.fileBytes} bytes`);
    bytes += size;
    files.set(path, { text: checkedText(path, text), realPath: path });
  }
  if (files.size > compileLimits.files) throw parseFailed(`there are more than ${compileLimits.files} files`);
  if (bytes > compileLimits.treeBytes) throw parseFailed(`the files are over ${compileLimits.treeBytes} bytes`);
  const wanted = [...files].filter(([path]) => isWanted(path));
  const supporting = [...files.keys()].filter((path) => !isWanted(path) && isSupporting(path)).sort();
  return { files: sortedByPath(wanted), warnings: [], supporting };
}

function badPath(path: string, message: string): AppError {
  const field = `files[${JSON.stringify(path.slice(0, 200))}]`;
  return new AppError('VALIDATION_ERROR', `${field} ${message}`, { fields: [{ field, message }] });
}
