import { describe, expect, it } from '@jest/globals';
import { generateModules, listOwnersOfSql, readModules } from './sql-files/files.js';

describe.each(listOwnersOfSql())('the statements of %s', (owner) => {
  it('finds its modules current, as `npm run generate` writes them', async () => {
    const generated = await generateModules(owner);
    const written = readModules(owner);
    const outdated = [...generated].filter(([path, text]) => written.get(path) !== text).map(([path]) => path);
    const removed = [...written.keys()].filter((path) => !generated.has(path));
    expect([...outdated, ...removed]).toEqual([]);
  });
});
