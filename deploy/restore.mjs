// Restores what deploy/backup.mjs wrote: `node deploy/restore.mjs DIRECTORY`. See deploy/backup/README.md.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readOptions, report, runCommand, runConcurrently } from './backup/options.mjs';
import { knownMigrations, readSources } from './backup/sources.mjs';
import { query, restore, toolsFor } from './backup/tools.mjs';

/** Clocks and commits may differ by this much from the time of the backup; consumers ignore events that they had. */
const REPUBLISH_MS = 10 * 60_000;

const HELP = `node deploy/restore.mjs DIRECTORY [--compose] [--jobs N] [--replace]

Restores a backup of all services. Stop the services first. The target must not have their schemas.

  --compose   the database of deploy/compose.yaml
  --jobs N    parallel jobs per schema (default 4); with --compose one
  --replace   drops the schemas of the services first, with all data in them

The target is named as for deploy/backup.mjs.
`;

await runCommand('restore', async () => {
  const options = readOptions(HELP, { replace: { type: 'boolean' } });
  if (options) await restoreAll(options);
});

async function restoreAll({ directory, jobs, env, isCompose, values }) {
  const startedAt = performance.now();
  const manifest = readManifest(resolve(directory));
  refuseNewer(manifest);
  const places = new Map(readSources(env, { isCompose }).map((source) => [source.service, source]));
  const targets = manifest.sources.map((source) => ({
    ...source,
    path: join(resolve(directory), source.file),
    tools: toolsFor(places.get(source.service).url, env),
  }));
  for (const target of targets) await checkFile(target);
  for (const target of targets) await checkTarget(target, values.replace === true);
  await runConcurrently(targets, isCompose ? jobs : 2, async (target) => {
    const { service, schema, tools, path } = target;
    if (values.replace) await query(tools, `DROP SCHEMA IF EXISTS "${schema}" CASCADE;\n`);
    await restore(tools, { file: path, jobs });
    const requeued = await settle(target, manifest.takenAt);
    report(`${service}: restored${requeued > 0 ? `, ${requeued} events queued again` : ''}`);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  report(
    `the state of ${manifest.takenAt}, ${seconds} s. Start the services, then run verify-journal in billing-ledger.`,
  );
}

function readManifest(folder) {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8'));
  } catch (error) {
    throw new Error(`${folder} holds no complete backup: ${error.message}`);
  }
  if (manifest.format !== 1) throw new Error(`the backup has format ${manifest.format}: use the version that wrote it`);
  return manifest;
}

/** An older schema is brought up to date when its service starts; a newer one is unknown to this version. */
function refuseNewer({ version, sources }) {
  const known = knownMigrations();
  for (const { service, migrations } of sources) {
    const unknown = migrations.find((name) => known.has(service) && !known.get(service).has(name));
    if (unknown) {
      throw new Error(
        `the backup is of a newer version (${version}): ${service} has the migration ${unknown}, which this version ` +
          'lacks. Restore it with that version.',
      );
    }
  }
}

async function checkFile({ path, sha256 }) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${path} is damaged: its checksum differs from the backup's list`);
}

async function checkTarget({ service, schema, tools }, isReplacing) {
  const [clients, tables] = await query(
    tools,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND split_part(application_name, ' ', 1) = '${schema}';
     SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace('"${schema}"');\n`,
  );
  if (Number(clients) > 0) throw new Error(`${service} is connected to the target: stop the services first`);
  if (Number(tables) > 0 && !isReplacing) {
    throw new Error(`the target has a schema ${schema} with tables: name an empty database, or drop it with --replace`);
  }
  if (!isReplacing) await query(tools, `DROP SCHEMA IF EXISTS "${schema}" RESTRICT;\n`);
}

/**
 * Publishes again what was published around the backup: the state of a consumer may be from just before. Ends leases of
 * processes that no longer exist. Returns how many events were queued again.
 */
async function settle({ schema, tools }, takenAt) {
  const since = new Date(Date.parse(takenAt) - REPUBLISH_MS).toISOString();
  const lines = await query(
    tools,
    `SELECT to_regclass('"${schema}".outbox') IS NOT NULL AS has_outbox \\gset
     \\if :has_outbox
     WITH again AS (UPDATE "${schema}".outbox SET published_at = NULL WHERE published_at >= '${since}' RETURNING 1)
     SELECT count(*) FROM again;
     DELETE FROM "${schema}".outbox_lease;
     \\endif
     ANALYZE;\n`,
  );
  return Number(lines[0] ?? 0);
}
