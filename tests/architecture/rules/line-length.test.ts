import { expect, it } from '@jest/globals';
import { DOCUMENT_LINE_MAX, findLongLines } from './line-length.js';

const found = (text: string) => findLongLines([{ path: 'README.md', text }]).map(({ line }) => line);
const long = 'word '.repeat(DOCUMENT_LINE_MAX / 5);

it('finds a line of prose or of a table that is too long', () => {
  expect(found(`# Title\n\n${long}more\n| a | ${long} |`)).toEqual([3, 4]);
  expect(found(long)).toEqual([]);
});

it('permits long lines of code, and long URLs and commands inside a line', () => {
  expect(found(`\`\`\`sh\n${long}${long}\n\`\`\`\n~~~\n${long}${long}\n~~~`)).toEqual([]);
  expect(found(`See [the page](https://example.com/${'x'.repeat(DOCUMENT_LINE_MAX)}).`)).toEqual([]);
  expect(found(`Run \`${'x'.repeat(DOCUMENT_LINE_MAX)}\`.`)).toEqual([]);
  expect(found(`${'`short` '.repeat(30)}`)).toEqual([1]);
});
