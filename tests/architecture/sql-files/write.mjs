// Writes src/store/gen of each service and package from its `.sql` files, with the types that the migrated schema gives them:
// `npm run generate`, or `npx tsx --conditions=source tests/architecture/sql-files/write.mjs [NAME …]`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTestServer } from '../../setup/test-server.mjs';
import { generatedFolder, generateModules, listOwnersOfSql, readModules } from './files.js';

const given = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
const server = given ? undefined : await startTestServer();
process.env.TEST_DATABASE_URL = given ?? server?.url;
try {
  const owners = process.argv.length > 2 ? process.argv.slice(2) : listOwnersOfSql();
  for (const owner of owners) write(owner, await generateModules(owner));
} finally {
  await server?.stop();
}

function write(owner, modules) {
  const folder = generatedFolder(owner);
  for (const path of readModules(owner).keys()) if (!modules.has(path)) rmSync(join(folder, path));
  for (const [path, text] of modules) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  console.info(`${owner}: ${modules.size} modules of statements`);
}
