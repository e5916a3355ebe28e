// Runs psql, pg_dump and pg_restore: those of this machine, or those in the container of the Compose file.
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { COMPOSE_FILE } from './sources.mjs';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** The tools for one server. `url` undefined: the database of the Compose file. */
export function toolsFor(url, env) {
  if (url === undefined) return containerTools(env);
  const folder = findFolder(url, env);
  // The password of the URL must not appear in the list of processes.
  const { password, rest } = splitPassword(url);
  const toolEnv = { ...env, ...(password !== undefined && { PGPASSWORD: password }) };
  return {
    start: (tool, args) =>
      spawn(`${folder}${tool}`, ['--no-password', `--dbname=${rest}`, ...args], {
        env: toolEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    restoreArgs: (file, jobs) => [`--jobs=${jobs}`, file],
    readsFile: true,
  };
}

function containerTools(env) {
  const exec = ['compose', '--file', env.COMPOSE_FILE ?? COMPOSE_FILE, 'exec', '-T', 'postgres'];
  const connect = ['--username=tollgate', '--dbname=tollgate'];
  return {
    start: (tool, args) =>
      spawn('docker', [...exec, tool, ...connect, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] }),
    restoreArgs: () => [],
    readsFile: false,
  };
}

/** Returns the folder of client programs that are not older than the server, as a prefix of their names. */
function findFolder(url, env) {
  const debian = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [env.PG_BIN, ...debian.map((version) => `${DEBIAN_VERSIONS}/${version}/bin`), ''];
  const found = folders
    .filter((folder) => folder !== undefined)
    .map((folder) => (folder === '' ? '' : `${folder}/`))
    .map((folder) => ({ folder, version: readVersion(folder) }))
    .filter(({ version }) => version !== undefined);
  const any = found[0];
  if (!any) throw new Error('pg_dump is not installed: install the PostgreSQL client, or name its folder with PG_BIN');
  const server = serverVersion(any.folder, url, env);
  const fitting = found.find(({ version }) => version >= server);
  if (!fitting) {
    throw new Error(
      `the server is PostgreSQL ${server}, the newest pg_dump found is ${Math.max(...found.map(({ version }) => version))}: ` +
        `install postgresql-client-${server}, or name the folder of its programs with PG_BIN`,
    );
  }
  return fitting.folder;
}

function readVersion(folder) {
  const { stdout } = spawnSync(`${folder}pg_dump`, ['--version'], { encoding: 'utf8' });
  const [, major] = /(\d+)(?:\.\d+)?/.exec(stdout ?? '') ?? [];
  return major === undefined ? undefined : Number(major);
}

function serverVersion(folder, url, env) {
  const { password, rest } = splitPassword(url);
  const result = spawnSync(`${folder}psql`, ['--no-password', '-XAtc', 'SHOW server_version_num', rest], {
    encoding: 'utf8',
    env: { ...env, ...(password !== undefined && { PGPASSWORD: password }) },
  });
  if (result.status !== 0) throw new Error(oneLine(result.stderr ?? String(result.error)));
  return Math.floor(Number(result.stdout) / 10_000);
}

function splitPassword(text) {
  const url = new URL(text);
  const password = url.password === '' ? undefined : decodeURIComponent(url.password);
  url.password = '';
  return { password, rest: url.href };
}

/** Runs statements and returns the lines of their results. @throws Error with the server's message */
export async function query(tools, sql) {
  const child = tools.start('psql', ['-XAtq', '--set=ON_ERROR_STOP=1']);
  child.stdin.end(sql);
  const [out] = await Promise.all([collect(child.stdout), ended(child, 'psql')]);
  return out.split('\n').filter((line) => line !== '');
}

/**
 * Opens a transaction that keeps one state of a database until `close()`, and returns the name under which other
 * connections see that state.
 */
export async function openSnapshot(tools) {
  const child = tools.start('psql', ['-XAtq', '--set=ON_ERROR_STOP=1']);
  const failed = ended(child, 'psql').then(() => Promise.reject(new Error('psql ended before the backup did')));
  failed.catch(() => undefined);
  child.stdin.write(`SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0;
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_export_snapshot();\n`);
  const name = await Promise.race([firstLine(child.stdout), failed]);
  return { name, failed, close: () => child.stdin.end('COMMIT;\n') };
}

/** Dumps one schema of a state into a file. */
export async function dump(tools, { schema, snapshot, file }) {
  const args = ['--format=custom', `--schema="${schema}"`, `--snapshot=${snapshot}`, '--no-owner', '--no-privileges'];
  const child = tools.start('pg_dump', args);
  child.stdin.end();
  await Promise.all([pipeline(child.stdout, createWriteStream(file)), ended(child, 'pg_dump')]);
}

/** Restores a file into a database that lacks the schema. */
export async function restore(tools, { file, jobs }) {
  const args = ['--exit-on-error', '--no-owner', '--no-privileges', ...tools.restoreArgs(file, jobs)];
  const child = tools.start('pg_restore', args);
  child.stdout.resume();
  if (tools.readsFile) child.stdin.end();
  // A program that fails stops reading; its message says why.
  else await pipeline(createReadStream(file), child.stdin).catch(() => undefined);
  await ended(child, 'pg_restore');
}

async function ended(child, name) {
  const errors = collect(child.stderr);
  const code = await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${name}: ${error.message}`)));
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} failed: ${oneLine(await errors) || `exit code ${code}`}`);
}

async function collect(stream) {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text = (text + chunk).slice(-1_000_000);
  return text;
}

function firstLine(stream) {
  return new Promise((resolve) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.split('\n')[0]);
    });
  });
}

function oneLine(text) {
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, '; ')
    .slice(0, 1_000);
}
