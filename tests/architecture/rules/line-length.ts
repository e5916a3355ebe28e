// Lines of documents fit a terminal and a diff.
import type { SourceFile, Violation } from '../source-files.js';

export const DOCUMENT_LINE_MAX = 160;

/** Code in a line that is longer than this cannot be shortened and does not count, like a URL. */
const LONG_CODE = /`[^`]{60,}`/g;
const URL = /https?:\/\/[^\s)>]*/g;

/** Lines of Markdown that are too long, without fenced code. */
export function findLongLines(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, text }) => {
    let isCode = false;
    return text.split('\n').flatMap((content, index) => {
      if (/^\s*(```|~~~)/.test(content)) isCode = !isCode;
      const { length } = content.replace(URL, '').replace(LONG_CODE, '');
      if (isCode || length <= DOCUMENT_LINE_MAX) return [];
      return [{ path, line: index + 1, message: `${length} characters; at most ${DOCUMENT_LINE_MAX}` }];
    });
  });
}
