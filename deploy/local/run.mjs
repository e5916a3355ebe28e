// Entry of every npm script: makes a bare machine ready (install, build; skipped when nothing changed), then runs the
// task. Needs only Node and npm.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stampFile = `${root}node_modules/.install-stamp`;
const buildStampFile = `${root}node_modules/.build-stamp`;
/** What `npm start` is built from, besides the installed packages. */
const SOURCES = ['packages', 'services', 'proto', 'deploy/local', 'deploy/bundle', 'turbo.json', 'pnpm-workspace.yaml'];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', '.turbo']);
// .ci/run has built everything, and runs several tasks at once. The tests do not inherit the setting: some test builds.
const { SKIP_BUILD, ...inherited } = process.env;
const isBuilt = SKIP_BUILD === '1';
const env = {
  ...inherited,
  PATH: `${root}node_modules/.bin:${process.env.PATH}`,
  // Shared by all clones of the user, so that the second one builds in seconds; turbo.json bounds it.
  TURBO_CACHE_DIR:
    process.env.TURBO_CACHE_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tollgate', 'turbo'),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
};

const workspace = () => turbo('build');
const generated = () => turbo('generate');

/** What each task needs to be built, and what it runs. */
const tasks = {
  build: { needs: workspace, run: () => {} },
  start: {
    needs: buildLocal,
    // In this process: another one would start a second time.
    run: async (args) => {
      process.chdir(root);
      process.argv = [process.execPath, `${root}deploy/local/dist/main.js`, ...args];
      await import('./dist/main.js');
    },
  },
  // From the sources; a change of one restarts it. `--inspect` opens Node's debugger.
  dev: {
    needs: () => turbo('build', '--filter=@tollgate/console'),
    run: (args) => {
      const inspect = args.filter((arg) => arg.startsWith('--inspect'));
      const source = ['--import', 'tsx', '--conditions=source', 'deploy/local/src/main.ts'];
      const others = args.filter((arg) => !inspect.includes(arg));
      hand(process.execPath, ['--watch', '--watch-preserve-output', ...inspect, ...source, ...others]);
    },
  },
  // With files: those, of any tier. Without: the tiers in TEST_TIER, else the unit, database and system tests.
  test: {
    needs: (args) => neededFor(testFiles(args)),
    run: (args) => {
      const files = testFiles(args);
      jest(files.length === 0 ? process.env.TEST_TIER || 'main' : isUnitOnly(files) ? 'unit' : 'all', args);
    },
  },
  'test:unit': { needs: () => {}, run: (args) => jest('unit', args) },
  'test:db': { needs: generated, run: (args) => jest('db', args) },
  'test:system': { needs: workspace, run: (args) => jest('system', args) },
  'test:chaos': { needs: workspace, run: (args) => jest('chaos', args) },
  'test:clients': { needs: workspace, run: (args) => jest('clients', args) },
  'test:deploy': { needs: workspace, run: (args) => jest('deploy', args) },
  bench: {
    needs: workspace,
    run: (args) => hand(process.execPath, ['--import', 'tsx', '--conditions=source', 'tests/load/main.ts', ...args]),
  },
  mutation: {
    needs: () => {},
    run: (args) => hand(process.execPath, ['--import', 'tsx', 'tests/mutation/main.ts', ...args]),
  },
  exercise: {
    needs: workspace,
    run: (args) => hand(process.execPath, ['--import', 'tsx', '--conditions=source', 'tests/operate/main.ts', ...args]),
  },
  // Code to start from: an endpoint, an RPC, a migration.
  new: {
    needs: generated,
    run: (args) =>
      hand(process.execPath, ['--import', 'tsx', '--conditions=source', 'tests/generators/main.ts', ...args]),
  },
  check: {
    needs: workspace,
    run: () => {
      run('biome', ['ci', '.']);
      jest('all', ['tests/architecture']);
    },
  },
};

requireNode(20, 19);
const task = process.argv[2];
// `.` is the folder of the package whose script calls this.
const args = process.argv.slice(3).map((arg) => (arg === '.' ? relative(root, process.cwd()) : arg));
if (!Object.hasOwn(tasks, task)) fail(`usage: node deploy/local/run.mjs ${Object.keys(tasks).join('|')}`);
if (task === 'start' && args.includes('--help')) {
  console.log(readFileSync(`${root}deploy/local/help.txt`, 'utf8').trimEnd());
  process.exit();
}
install();
tasks[task].needs(args);
await tasks[task].run(args);

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

function turbo(target, ...filter) {
  if (isBuilt) return;
  const startedAt = performance.now();
  run('turbo', ['run', target, ...filter, '--output-logs=errors-only', '--log-order=grouped']);
  if (performance.now() - startedAt > 5_000)
    console.error(`Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
}

/** Asks turbo only when a file has changed since the last build: it needs a second to find that there is nothing to do. */
function buildLocal() {
  const state = sourceState();
  const services = readdirSync(`${root}services`).map((name) => `services/${name}`);
  const built = ['deploy/local', ...services].flatMap((folder) => [
    `${root}${folder}/dist/main.js`,
    `${root}${folder}/dist/bundle/main.js`,
  ]);
  built.push(`${root}packages/console/dist/index.html`);
  const isComplete = built.every((file) => existsSync(file));
  if (isComplete && existsSync(buildStampFile) && readFileSync(buildStampFile, 'utf8') === state) return;
  turbo('build', '--filter=@tollgate/local...');
  writeFileSync(buildStampFile, state);
}

/** A hash of the names, sizes and times of the sources, and of the installed packages. */
function sourceState() {
  const hash = createHash('sha256').update(readFileSync(stampFile, 'utf8'));
  const visit = (path) => {
    const stat = statSync(`${root}${path}`, { throwIfNoEntry: false });
    // A dangling link, for example the lock file of an editor.
    if (!stat) return;
    if (!stat.isDirectory()) return hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    for (const name of readdirSync(`${root}${path}`).sort()) if (!NOT_SOURCES.has(name)) visit(`${path}/${name}`);
  };
  for (const path of SOURCES) visit(path);
  return hash.digest('hex');
}

/** The test files and folders among the arguments. */
function testFiles(args) {
  return args.filter((arg) => /^(\.\/)?(packages|services|deploy|tests)(\/|$)|\.test\.ts$/.test(arg));
}

/** Tests of packages and services read the source; only those with a database need generated clients. */
function neededFor(files) {
  if (isUnitOnly(files)) return;
  const isInside = (file) => /^(\.\/)?(packages|services)\/|\.(db|slow)\.test\.ts$/.test(file);
  if (files.length > 0 && files.every(isInside)) generated();
  else workspace();
}

function isUnitOnly(files) {
  const isUnit = (file) =>
    /^(\.\/)?(packages|services)\/.*\.test\.ts$/.test(file) && !/\.(db|slow)\.test\.ts$/.test(file);
  return files.length > 0 && files.every(isUnit);
}

/** Runs the tests of a tier of tests/jest.config.mjs. */
function jest(tier, args) {
  env.TEST_TIER = tier;
  // A larger young generation: each test file loads its modules again, and most of them die with it.
  const flags = [
    '--max-semi-space-size=32',
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
  ];
  hand(process.execPath, [...flags, '-c', 'tests/jest.config.mjs', ...resultsFile(), ...args]);
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
