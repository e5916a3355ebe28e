// Links of documents lead to files that exist, and a link to a line leads to the name in its text.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from '../run-tool.js';
import type { SourceFile, Violation } from '../source-files.js';

interface Link {
  text: string;
  /** From the top of the repository. */
  target: string;
  /** Of `#L12`; undefined for a link to a whole file. */
  targetLine: number | undefined;
  line: number;
  /** Where the number of the target line is in the document's text; -1 without one. */
  numberAt: number;
}

const LINK = /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s#]+)(?:#(?:L(\d+))?[^()\s]*)?\)/g;

/** Reads the relative links of a document, without those in fenced code. */
export function readLinks({ path, text }: SourceFile): Link[] {
  let isCode = false;
  let start = 0;
  return text.split('\n').flatMap((content, index) => {
    const lineStart = start;
    start += content.length + 1;
    if (/^\s*(```|~~~)/.test(content)) isCode = !isCode;
    if (isCode) return [];
    return [...content.matchAll(LINK)]
      .filter(([, , target = '']) => !/^([a-z]+:|\/)/.test(target))
      .map((match) => {
        const [whole, label = '', target = '', number] = match;
        return {
          text: label.replaceAll('`', ''),
          target: normalize(join(dirname(path), decodeURIComponent(target))),
          targetLine: number === undefined ? undefined : Number(number),
          line: index + 1,
          numberAt: number === undefined ? -1 : lineStart + match.index + whole.indexOf(`#L${number}`) + 2,
        };
      });
  });
}

/** Returns the line, counted from 1, that declares the name, or else the first one after the imports that contains it. */
export function findName(code: string, name: string): number | undefined {
  const lines = code.split('\n');
  const word = `${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`;
  const imports = lines.findLastIndex((line) => /^(import .*|\} )from '/.test(line));
  const patterns = [
    `^(export |async |abstract )*(function\\*?|class|interface|type|const|model) ${word}`,
    `^  (async |get |readonly |static )*\\*?${word}.*\\{$`,
    `(?<![\\w#])${word}`,
  ].map((pattern) => new RegExp(pattern));
  for (const pattern of patterns) {
    const found = lines.findIndex((line, index) => index > imports && pattern.test(line));
    if (found >= 0) return found + 1;
  }
  return undefined;
}

export function findBrokenLinks(
  files: readonly SourceFile[],
  read: (path: string) => string | undefined = readIfExists,
): Violation[] {
  return files.flatMap((file) =>
    readLinks(file).flatMap((link) => {
      const fault = findFault(link, read(link.target));
      return fault === undefined ? [] : [{ path: file.path, line: link.line, message: fault }];
    }),
  );
}

function findFault({ text, target, targetLine }: Link, code: string | undefined): string | undefined {
  if (code === undefined) return `${target} does not exist`;
  if (targetLine === undefined) return undefined;
  if (code.split('\n')[targetLine - 1]?.includes(text)) return undefined;
  const line = findName(code, text);
  if (line === undefined) return `${target} has no ${text}`;
  return `${text} is in line ${line} of ${target}, not ${targetLine}: \`npx tsx tests/architecture/write-links.ts\` repairs it`;
}

/** Returns the document with the numbers of its linked lines as they are now; those that are still right are kept. */
export function repairLinks(file: SourceFile, read: (path: string) => string | undefined = readIfExists): string {
  let { text } = file;
  for (const link of readLinks(file).toReversed()) {
    const code = link.targetLine === undefined ? undefined : read(link.target);
    if (code === undefined || findFault(link, code) === undefined) continue;
    const line = findName(code, link.text);
    const end = link.numberAt + String(link.targetLine).length;
    if (line !== undefined) text = text.slice(0, link.numberAt) + line + text.slice(end);
  }
  return text;
}

/** Undefined for a missing file; empty for a folder. */
function readIfExists(path: string): string | undefined {
  const full = join(ROOT, path);
  if (!existsSync(full)) return undefined;
  try {
    return readFileSync(full, 'utf8');
  } catch {
    return '';
  }
}
