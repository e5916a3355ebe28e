// One configuration for every package: unit tests beside the code, system tests under tests/.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

export default {
  rootDir,
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/deploy/local', '<rootDir>/tests'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/tests/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/tests/setup/global-teardown.mjs',
  testTimeout: 60_000,
  // Workers, even on two cores: a process that runs every suite itself keeps each one's modules until its heap is full.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '1GB',
  // A dependency may have a `source` condition of its own that leads to its TypeScript.
  transformIgnorePatterns: ['/node_modules/.+\\.[cm]?js$'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
};
