import { expect, it } from '@jest/globals';
import { findLongStatements, findSqlFileFaults } from './statements.js';

const path = 'services/x/src/store/rows.ts';

function find(text: string): string[] {
  return findLongStatements([{ path, text }]).map(({ line, message }) => `${line} ${message}`);
}

it('finds statements of more than four parameters, more than six lines, or computed parameters', () => {
  expect(find("query('INSERT INTO t VALUES ($1, $2, $3, $4, $4)');")).toEqual([]);
  expect(find("query('INSERT INTO t VALUES ($1, $2, $3, $4, $5)');")).toEqual([
    '1 has 5 parameters and 1 lines; move it to a .sql file',
  ]);
  expect(find(`\nconst text = \`SELECT 1${'\n'.repeat(6)}FROM t\`;`)).toEqual([
    '2 has 0 parameters and 7 lines; move it to a .sql file',
  ]);
  expect(find('const text = `SELECT $${first}`;')).toEqual(['1 computes parameters; move it to a .sql file']);
  expect(find(`const text = 'With love${'\\n'.repeat(9)}';`)).toEqual([]);
});

it('finds constants of .sql files that the code defines otherwise', () => {
  const code = {
    path,
    text: "export const STATES = { open: 1, ended: 2 } as const;\nconst LIMIT = 10;\nconst KIND = 'a';",
  };
  const faults = (text: string) =>
    findSqlFileFaults([code, { path: 'services/x/src/store/rows.sql', text }]).map(({ message }) => message);
  expect(faults("SELECT 1 /* STATES.open */, 10 /* LIMIT */, 'a' /* KIND */ /* a comment */")).toEqual([]);
  expect(faults('SELECT 1 /* STATES.ended */')).toEqual(['STATES.ended is 2 in the code']);
  expect(faults('SELECT 1 /* STATES.gone */, 2 /* OTHER */')).toEqual([
    'STATES.gone has 0 definitions in the code',
    'OTHER has 0 definitions in the code',
  ]);
});

it('compares the .sql files of the audit with the constants of the ledger', () => {
  const text = 'SELECT 0 /* STATES.open */';
  const sql = { path: 'packages/ledger-audit/src/store/rows.sql', text };
  const code = { path: 'services/billing-ledger/src/domain/hold.ts', text: 'export const STATES = { open: 0 };' };
  expect(findSqlFileFaults([code, sql])).toEqual([]);
  expect(findSqlFileFaults([sql])).toHaveLength(1);
});

it('finds statements of .sql files with more than 75 lines', () => {
  const text = `-- name: short :one\nSELECT 1\n-- name: long :one\n-- ${'\n--'.repeat(90)}\n${'SELECT\n'.repeat(76)}`;
  expect(findSqlFileFaults([{ path: 'services/x/src/store/rows.sql', text }])).toEqual([
    { path: 'services/x/src/store/rows.sql', line: 3, message: 'has 76 lines; at most 75' },
  ]);
});
