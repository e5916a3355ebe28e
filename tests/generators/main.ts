import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newEndpoint } from './endpoint.js';
import { newMigration } from './migration.js';
import { type Change, UsageError } from './names.js';
import { newProvider } from './provider.js';
import { newRpc } from './rpc.js';

const USAGE = `usage:
  pnpm new endpoint FOLDER NAME METHOD PATH        pnpm new endpoint tiers get-tier-history GET /tiers/:id/history
  pnpm new rpc SERVICE PROTO PROTO_SERVICE METHOD  pnpm new rpc messaging messaging/v1/messaging MessagingService ReadMailbox
  pnpm new provider VENDOR                         pnpm new provider acme
  pnpm new migration SERVICE SUBJECT               pnpm new migration billing-ledger customer_notes
`;

/** The steps that remain. */
const NEXT: Readonly<Record<string, string>> = {
  endpoint: 'Write the schema and the handler, then: npx pnpm --filter @tollgate/client run generate-core',
  rpc: 'Write the messages, then: npx pnpm --filter @tollgate/proto contracts; then the operation and its test',
  provider:
    'Replace the invented forms and fixtures by those of the vendor, each with its source, and add what it offers',
  migration: 'Read the SQL (only expand; CONTRIBUTING has the rule), then: npm run generate',
};

const root = fileURLToPath(new URL('../../', import.meta.url));

try {
  const [kind = '', ...args] = process.argv.slice(2);
  const changes = await makeChanges(kind, args);
  for (const change of changes) write(change);
  const sources = changes.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  if (sources.length > 0) spawnSync('biome', ['check', '--write', ...sources], { cwd: root, stdio: 'inherit' });
  console.log(NEXT[kind]);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function makeChanges(kind: string, args: readonly string[]): Promise<Change[]> {
  if (kind === 'endpoint') return newEndpoint(args, read);
  if (kind === 'rpc') return newRpc(args, read);
  if (kind === 'provider') return newProvider(args, read);
  if (kind === 'migration') return await newMigration(args, read, { root, now: new Date() });
  throw new UsageError(USAGE);
}

function read(path: string): string | undefined {
  return existsSync(`${root}${path}`) ? readFileSync(`${root}${path}`, 'utf8') : undefined;
}

function write({ path, text }: Change): void {
  mkdirSync(dirname(`${root}${path}`), { recursive: true });
  writeFileSync(`${root}${path}`, text);
  console.log(path);
}
