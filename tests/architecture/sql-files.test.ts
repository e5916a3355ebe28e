import { describe, expect, it } from '@jest/globals';
import { generateModules, listServicesWithSql, readModules } from './sql-files/files.js';

describe.each(listServicesWithSql())('the service %s', (service) => {
  it('finds its modules current, as `npm run generate` writes them', async () => {
    const generated = await generateModules(service);
    const written = readModules(service);
    const outdated = [...generated].filter(([path, text]) => written.get(path) !== text).map(([path]) => path);
    const removed = [...written.keys()].filter((path) => !generated.has(path));
    expect([...outdated, ...removed]).toEqual([]);
  });
});
