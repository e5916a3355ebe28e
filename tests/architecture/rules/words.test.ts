import { expect, it } from '@jest/globals';
import { findAvoidedWords } from './words.js';

const found = (path: string, text: string) => findAvoidedWords([{ path, text }]).map(({ line }) => line);

it('finds an avoided word in a comment, a sentence, a document and a comment of a contract', () => {
  expect(found('packages/a/src/a.ts', 'const a = 1;\n/** The ledger is away. */\nconst b = 2; // told once')).toEqual([
    2, 3,
  ]);
  expect(found('packages/a/src/a.ts', "throw new Error('the work was begun anew');")).toEqual([1, 1]);
  expect(found('README.md', 'Fine.\nWhat is paid counts.')).toEqual([2]);
  expect(found('proto/a.proto', 'string id = 1; // the customer, meanwhile')).toEqual([1]);
  expect(found('deploy/a.yaml', 'a: told\n# told')).toEqual([2]);
});

it('finds a type whose name ends in an avoided word', () => {
  expect(found('packages/a/src/a.ts', 'interface TierWish {}\ntype Ending = 1;\nclass LedgerBench {}')).toEqual([
    1, 2, 3,
  ]);
});

it('permits quotations, code and names', () => {
  expect(found('README.md', 'The specification says “the house”. Run `npm run bench`.\n```\ntold\n```')).toEqual([]);
  expect(found('packages/a/src/a.ts', "const wish = 'notice';\nconst sql = `SELECT told FROM x`;")).toEqual([]);
});
