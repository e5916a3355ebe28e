// Writes src/store/gen of each service from its `.sql` files, with the types that its migrated schema gives them:
// `npm run generate`, or `npx tsx --conditions=source tests/architecture/sql-files/write.mjs [SERVICE …]`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startTestServer } from '../../setup/test-server.mjs';
import { generatedFolder, generateModules, listServicesWithSql, readModules } from './files.js';

const given = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
const server = given ? undefined : await startTestServer();
process.env.TEST_DATABASE_URL = given ?? server?.url;
try {
  const services = process.argv.length > 2 ? process.argv.slice(2) : listServicesWithSql();
  for (const service of services) write(service, await generateModules(service));
} finally {
  await server?.stop();
}

function write(service, modules) {
  const folder = generatedFolder(service);
  for (const path of readModules(service).keys()) if (!modules.has(path)) rmSync(join(folder, path));
  for (const [path, text] of modules) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  console.info(`${service}: ${modules.size} modules of statements`);
}
