// One configuration for every package: unit tests beside the code, system tests under tests/. TEST_TIER selects a part.
// setup/environment.mjs has the time limits of tests.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

const BESIDE_CODE = ['<rootDir>/packages', '<rootDir>/services'];
const database = {
  globalSetup: '<rootDir>/tests/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/setup/global-teardown.mjs',
};

/** Folders of tests/ that `npm test` leaves to a command of their own. */
const BESIDE_MAIN = {
  chaos: ['chaos'],
  clients: ['clients', 'console'],
  deploy: ['deploy', 'operate', 'operations', 'upgrade'],
};
const toRoots = (folders) => folders.map((name) => `<rootDir>/tests/${name}`);
const beside = new Set(Object.values(BESIDE_MAIN).flat());
const ofMain = readdirSync(`${rootDir}tests`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !beside.has(entry.name))
  .map((entry) => entry.name);
const system = { roots: ['<rootDir>/deploy/local', ...toRoots(ofMain)], ...database };

const tiers = {
  all: { roots: [...BESIDE_CODE, '<rootDir>/deploy/local', '<rootDir>/tests'], ...database },
  main: { roots: [...BESIDE_CODE, ...system.roots], ...database },
  // No build, no generated code, no database; tests/architecture checks that no file needs one.
  unit: {
    roots: BESIDE_CODE,
    ignored: ['\\.(db|slow)\\.test\\.ts$', ...(await unitTestExceptions())],
    // One more than cores: some of these tests wait.
    maxWorkers: availableParallelism() + 1,
  },
  // Beside the code: with a database, or slow because of processes, sockets or many random cases.
  db: { roots: BESIDE_CODE, testMatch: ['**/*.{db,slow}.test.ts'], ...database },
  system,
  chaos: { roots: toRoots(BESIDE_MAIN.chaos), ...database },
  clients: { roots: toRoots(BESIDE_MAIN.clients), ...database },
  deploy: { roots: toRoots(BESIDE_MAIN.deploy), ignored: ['/tests/deploy/kubernetes/'], ...database },
  kubernetes: { roots: toRoots(['deploy/kubernetes']), ...database },
};

// Several, separated by commas, run as one: their suites that wait are beside suites that compute.
const chosen = (process.env.TEST_TIER || 'all').split(',').map((name) => tiers[name]);
const { ignored = [], ...tier } = { ...Object.assign({}, ...chosen), roots: chosen.flatMap(({ roots }) => roots) };

export default {
  rootDir,
  // Absolute: the proof by faults runs copies of a service with another root directory.
  testEnvironment: `${rootDir}tests/setup/environment.mjs`,
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...ignored],
  modulePathIgnorePatterns: ['/dist/'],
  moduleNameMapper: {
    '^\\.\\./locales/index\\.js$': `${rootDir}tests/setup/zod-locales.mjs`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Three even on two cores: one of them takes the suites that mostly wait.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testSequencer: `${rootDir}tests/setup/sequencer.mjs`,
  workerIdleMemoryLimit: '1GB',
  ...tier,
  // A dependency may have a `source` condition of its own that leads to its TypeScript.
  transformIgnorePatterns: ['/node_modules/.+\\.[cm]?js$'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};

/** Files that are to be renamed to `*.db.test.ts`. */
async function unitTestExceptions() {
  if (process.env.TEST_TIER !== 'unit') return [];
  const { exceptions } = await tsImport('./architecture/exceptions.ts', import.meta.url);
  return exceptions.unitTests;
}
