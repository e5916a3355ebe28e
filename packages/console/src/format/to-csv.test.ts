import { expect, it } from '@jest/globals';
import { toCsv } from './to-csv.js';

it.each([
  [
    [
      { a: 1, b: 'x' },
      { a: 2, c: 3 },
    ],
    'a,b,c\r\n1,x,\r\n2,,3\r\n',
  ],
  [[{ a: 'say "hi", twice' }], 'a\r\n"say ""hi"", twice"\r\n'],
  [[{ a: '=1+1' }, { a: '-1' }, { a: -1 }], "a\r\n'=1+1\r\n'-1\r\n-1\r\n"],
  [[], '\r\n'],
])('writes %j as CSV', (rows, text) => {
  expect(toCsv(rows as Parameters<typeof toCsv>[0])).toBe(text);
});
