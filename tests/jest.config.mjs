// One configuration for every package: unit tests beside the code, system tests under tests/. TEST_TIER selects a part.
// setup/environment.mjs has the time limits of tests.
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
const system = {
  roots: ['<rootDir>/deploy/local', '<rootDir>/tests'],
  ignored: toRoots(Object.values(BESIDE_MAIN).flat()).map((folder) => `${folder}/`),
  ...database,
};

const tiers = {
  all: { roots: [...BESIDE_CODE, ...system.roots], ...database },
  main: { ...system, roots: [...BESIDE_CODE, ...system.roots] },
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
  ...Object.fromEntries(
    Object.entries(BESIDE_MAIN).map(([name, folders]) => [name, { roots: toRoots(folders), ...database }]),
  ),
};

const { ignored = [], ...tier } = tiers[process.env.TEST_TIER || 'all'];

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
