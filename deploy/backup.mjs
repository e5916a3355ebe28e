// Backs up the databases of all services: `node deploy/backup.mjs DIRECTORY`. See deploy/backup/README.md.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readOptions, report, runCommand, runConcurrently } from './backup/options.mjs';
import { productVersion, readSources } from './backup/sources.mjs';
import { dump, openSnapshot, query, toolsFor } from './backup/tools.mjs';

const HELP = `node deploy/backup.mjs DIRECTORY [--compose | --local] [--jobs N]

Writes the databases of all services to a new folder. The services may run.

  --compose   the database of deploy/compose.yaml
  --local     the database of npm start
  --jobs N    schemas that are dumped at the same time (default 4)

Otherwise DATABASE_URL names the database, or BILLING_LEDGER_DATABASE_URL and so on the database of each service, and
EVENTS_DATABASE_URL that of the events, as for the services. Needs pg_dump and psql of the server's version or newer
(PG_BIN names their folder); with --compose those of the container.
`;

await runCommand('backup', async () => {
  const options = readOptions(HELP, { local: { type: 'boolean' } });
  if (options) await backUp(options);
});

async function backUp({ directory, jobs, env, isCompose }) {
  const target = resolve(directory);
  if (existsSync(target)) throw new Error(`${target} exists already: name a new folder`);
  const startedAt = performance.now();
  const databases = toDatabases(readSources(env, { isCompose }), env);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const snapshots = new Map();
  try {
    const takenAt = new Date().toISOString();
    // In order, within milliseconds. The dumps take longer, but read these states.
    for (const [key, tools] of databases.tools) snapshots.set(key, await openSnapshot(tools));
    const sources = await dumpAll(databases, snapshots, { folder: partial, jobs });
    const manifest = { format: 1, version: productVersion(), takenAt, sources };
    writeFileSync(join(partial, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    renameSync(partial, target); // a folder under its final name is complete
    const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    report(`${sources.length} schemas, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s`);
    process.stdout.write(`${target}\n`);
  } finally {
    for (const snapshot of snapshots.values()) snapshot.close();
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Schemas of one database share a state of it. */
function toDatabases(sources, env) {
  const tools = new Map();
  const placed = sources.map((source) => {
    const key = source.url ?? 'compose';
    if (!tools.has(key)) tools.set(key, toolsFor(source.url, env));
    return { ...source, key };
  });
  return { tools, sources: placed };
}

async function dumpAll({ tools, sources }, snapshots, { folder, jobs }) {
  const dumped = new Map();
  await runConcurrently(sources, jobs, async ({ service, schema, key }) => {
    const { name, failed } = snapshots.get(key);
    const state = await Promise.race([readState(tools.get(key), name, schema), failed]);
    if (state === undefined) {
      if (service === 'events') return; // events go over Kafka
      throw new Error(`${service} has no schema ${schema}: is this the right database?`);
    }
    const file = `${service}.dump`;
    await Promise.race([dump(tools.get(key), { schema, snapshot: name, file: join(folder, file) }), failed]);
    dumped.set(service, { service, schema, ...state, file, ...(await measure(join(folder, file))) });
    report(`${service}: ${(dumped.get(service).bytes / 1e6).toFixed(1)} MB`);
  });
  return sources.flatMap(({ service }) => dumped.get(service) ?? []);
}

/** Returns the migrations of a schema in the state; undefined when it does not exist. */
async function readState(tools, snapshot, schema) {
  const lines = await query(
    tools,
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '${snapshot}';
     SELECT 'exists' FROM pg_namespace WHERE nspname = '${schema}';
     SELECT to_regclass('"${schema}"._prisma_migrations') IS NOT NULL AS known \\gset
     \\if :known
     SELECT migration_name FROM "${schema}"._prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name;
     \\endif
     COMMIT;\n`,
  );
  return lines[0] === 'exists' ? { migrations: lines.slice(1) } : undefined;
}

async function measure(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}
