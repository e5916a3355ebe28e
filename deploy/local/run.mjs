// Entry of every npm script: makes a bare machine ready (install, build; skipped when nothing changed), then runs the
// task. Needs only Node and npm.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stampFile = `${root}node_modules/.install-stamp`;
const env = {
  ...process.env,
  PATH: `${root}node_modules/.bin:${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '-c',
  'tests/jest.config.mjs',
];

const tasks = {
  build: () => {},
  start: (args) => hand(process.execPath, ['--enable-source-maps', 'deploy/local/dist/main.js', ...args]),
  test: (args) => hand(process.execPath, [...jest, ...resultsFile(), ...args]),
  bench: (args) => hand(process.execPath, ['--import', 'tsx', '--conditions=source', 'tests/load/main.ts', ...args]),
  check: () => {
    run('biome', ['ci', '.']);
    hand(process.execPath, [...jest, 'tests/architecture']);
  },
};

requireNode(20, 19);
const [task, ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) fail(`usage: node deploy/local/run.mjs ${Object.keys(tasks).join('|')}`);
install();
build(task === 'start' ? ['--filter=@tollgate/local...'] : []);
tasks[task](args);

function install() {
  const stamp = createHash('sha256')
    .update(readFileSync(`${root}pnpm-lock.yaml`))
    .update(process.version)
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  console.error('Installing packages (once; about a minute on a new machine) …');
  const manager = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).packageManager;
  run('npx', ['--yes', manager, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only']);
  writeFileSync(stampFile, stamp);
}

function build(filter) {
  const startedAt = Date.now();
  run('turbo', ['run', 'build', ...filter, '--output-logs=errors-only', '--log-order=grouped']);
  if (Date.now() - startedAt > 5_000) console.error(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

function resultsFile() {
  const file = process.env.TEST_RESULTS_FILE;
  return file ? ['--json', `--outputFile=${file}`] : [];
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  if (result.error) fail(`${command}: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The task proper: gets the terminal; a Ctrl-C reaches it directly, other signals are passed on. */
function hand(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function requireNode(major, minor) {
  const [have, haveMinor] = process.versions.node.split('.').map(Number);
  if (have > major || (have === major && haveMinor >= minor)) return;
  fail(`Tollgate needs Node ${major}.${minor} or newer; this is ${process.versions.node}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
