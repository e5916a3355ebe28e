import { describe, expect, it } from '@jest/globals';
import { checkNewOwners, chooseDatabase, parseDatabases } from './ledger-databases.js';

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

describe('chooseDatabase', () => {
  it('spreads owners evenly, and in the same way for names in another order', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 3_000; i++) {
      const chosen = chooseDatabase(`owner ${i}`, ['a', 'b', 'c']);
      expect(chooseDatabase(`owner ${i}`, ['c', 'a', 'b', 'a'])).toBe(chosen);
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
