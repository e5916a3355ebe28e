import { describe, expect, it } from '@jest/globals';
import { bindParameters } from './bind-parameters.js';
import { removeMarks } from './describe-statement.js';
import { readSqlFile } from './read-sql-file.js';

function bind(body: string, header = '') {
  const [statement] = readSqlFile(`-- name: tried :many\n${header}${body}`);
  return bindParameters(statement!);
}

describe('a file of statements', () => {
  it('splits at the names, with the comments that follow them', () => {
    const statements = readSqlFile(
      [
        '-- name: find_one :one',
        '-- Finds one.',
        'SELECT 1 -- the first',
        '  ;',
        '',
        '-- name: end_all :exec',
        'DELETE FROM t',
      ].join('\n'),
    );
    expect(statements.map(({ name, result, comment, text }) => [name, result, comment, text])).toEqual([
      ['find_one', 'one', ['Finds one.'], 'SELECT 1'],
      ['end_all', 'exec', [], 'DELETE FROM t'],
    ]);
  });

  it('keeps what looks like a comment inside of a literal', () => {
    expect(bind(`SELECT '-- no; comment', "/* x */", $$;--$$ /* dropped */, 1`).text).toBe(
      `SELECT '-- no; comment', "/* x */", $$;--$$, 1`,
    );
  });

  it.each([
    ['a statement without a name', 'SELECT 1', 'without a line'],
    ['a name without a result', '-- name: find_one\nSELECT 1', 'must be "-- name'],
    ['a name in another case', '-- name: findOne :one\nSELECT 1', 'must be "-- name'],
    ['two statements under one name', '-- name: x :one\nSELECT 1; SELECT 2', 'more than one statement'],
    ['a name without a statement', '-- name: x :one\n-- Nothing.', 'has no statement'],
    ['a column without a type', '-- name: x :one\n-- pack rows: id\nSELECT 1', 'must be "name type"'],
  ])('rejects %s', (_, file, problem) => {
    expect(() => readSqlFile(file)).toThrow(problem);
  });
});

describe('parameters', () => {
  it('gives parameters numbers in the order in which they appear, each name once', () => {
    const { text, parameters } = bind('SELECT :to::int, :since FROM t WHERE a = :to AND b[1:two] = :since');
    expect(text).toBe('SELECT $1::int, $2 FROM t WHERE a = $1 AND b[1:two] = $2');
    expect(parameters.map(({ name }) => name)).toEqual(['to', 'since']);
  });

  it('takes a marked parameter as nullable', () => {
    const { text, parameters } = bind('SELECT :a?::text IS NULL OR b = :a?');
    expect(text).toBe('SELECT $1::text IS NULL OR b = $1');
    expect(parameters).toEqual([{ name: 'a', kind: 'value', isNullable: true, number: 1 }]);
  });

  it('finds no parameter in literals and casts', () => {
    expect(bind(`SELECT ':a', ":b", x::c, '10:20'`).parameters).toEqual([]);
  });

  it('rejects a parameter that is nullable in one place only', () => {
    expect(() => bind('SELECT :a, :a?')).toThrow('tried: :a is written with and without "?"');
  });
});

describe('a batch of rows', () => {
  const header = '-- pack rows: id uuid, held bigint, state smallint, name text?, accounts bigint[]\n';

  it('becomes a FROM item, with ids and numbers in one array each', () => {
    const { text, parameters } = bind('SELECT * FROM :rows AS r WHERE :limit > 0', header);
    expect(text).toBe(
      'SELECT * FROM (SELECT ($3::uuid[])[nth.i] AS id, ($4::bigint[])[nth.i][1] AS held, ' +
        '($4::bigint[])[nth.i][2]::smallint AS state, nth.name, nth.accounts::bigint[] AS accounts ' +
        'FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS nth (name, accounts, i)) AS r WHERE $5 > 0',
    );
    expect(parameters.map(({ name, number }) => [name, number])).toEqual([
      ['rows', 1],
      ['limit', 5],
    ]);
  });

  it('gives the values of a row, and its number of rows', () => {
    const { text } = bind('SELECT :rows.state[width_bucket(id, :rows.id)], :rows.length FROM t', header);
    expect(text).toBe(
      'SELECT ($4::bigint[])[width_bucket(id, $3::uuid[])][2]::smallint, coalesce(array_length($1::text[], 1), 0) FROM t',
    );
  });

  it.each([
    ['a column that it does not have', 'SELECT :rows.other[1]', 'the pack has no column other'],
    ['the array of columns that share one', 'SELECT :rows.held', 'the column held shares an array'],
    ['a column of a value', 'SELECT :id.held, :rows.length', ':id is not a pack'],
    ['no use of it', 'SELECT 1', 'the pack rows is not used'],
  ])('rejects %s', (_, body, problem) => {
    expect(() => bind(body, header)).toThrow(problem);
  });
});

it('removes the marks of aliases from the text that is sent', () => {
  expect(removeMarks('SELECT a AS "b!", c AS "dE?", e AS "f"')).toBe('SELECT a AS "b", c AS "dE", e AS "f"');
});
