// `node dist/verify-archive.js FILE [SEAL]`: verifies an archived month of the journal without a database.
import { verifyArchiveFile } from '@tollgate/ledger-audit';

const [path, expected] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: verify-archive FILE [SEAL]');
  process.exit(2);
}
const { month, seal, problems } = await verifyArchiveFile(path);
if (expected !== undefined && expected !== seal) problems.push(`the archive has the seal ${seal}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${month.slice(0, 7)} ${seal}`);
