import { describe, expect, it } from '@jest/globals';
import { checkNewOwners, parseDatabases } from './parse-databases.js';

const MAIN = 'postgresql://main/db';

describe('parseDatabases', () => {
  it('reads names and URLs, separated by blanks and line breaks', () => {
    const text = ' second=postgresql://u:p@b/db?sslmode=require\n third-1=postgres://c/db ';
    expect(parseDatabases(text, MAIN)).toEqual([
      { name: 'second', url: 'postgresql://u:p@b/db?sslmode=require' },
      { name: 'third-1', url: 'postgres://c/db' },
    ]);
    expect(parseDatabases('', MAIN)).toEqual([]);
  });

  it.each([
    ['a URL without a name', 'postgresql://hush/db', 'entry 1'],
    ['a bad name', 'ok=postgresql://a/db B=postgresql://hush/db', 'entry 2'],
    ['another protocol', 'second=mysql://hush/db', 'entry 1'],
    ['the name of the first database', 'main=postgresql://hush/db', 'entry 1'],
    ['a repeated name', 'b=postgresql://hush/1 b=postgresql://hush/2', 'entry 2'],
    ['the URL of another database', 'b=postgresql://main/db', 'b has the URL'],
  ])('rejects %s and shows no URL', (_, text, reason) => {
    const parse = () => parseDatabases(text, MAIN);
    expect(parse).toThrow(reason);
    expect(parse).not.toThrow(/hush/);
  });
});

describe('checkNewOwners', () => {
  const databases = [{ name: 'b', url: 'postgresql://b/db' }];

  it('accepts names of databases', () => {
    expect(checkNewOwners(['b', 'main'], databases)).toEqual(['b', 'main']);
  });

  it.each([[['c']], [['main', 'c']], [[]]])('rejects %j', (names) => {
    expect(() => checkNewOwners(names, databases)).toThrow('LEDGER_NEW_OWNERS: expected names of databases');
  });
});
