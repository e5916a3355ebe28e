import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { createPeers, type Peers, type TestEngine } from './engine-fixture.js';

/**
 * Registers hooks that create a database for the test file and new peers for each test, and that stop the engines after
 * each test. The hooks fill the returned objects, so a file may destructure the result. Hooks that the file registers
 * later run after these.
 */
export function usePeers(testFile: string): { database: TestDatabase; peers: Peers } {
  const database = {} as TestDatabase;
  const peers = {} as Peers;
  beforeAll(async () => {
    const migrations = new URL('../../prisma/migrations', import.meta.url);
    Object.assign(database, await testDatabase(testFile, { migrations }));
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    Object.assign(peers, createPeers(database));
  });
  afterEach(() => peers.stopAll());
  return { database, peers };
}

/** Does the same as {@link usePeers}, and starts an engine with `options` before each test. */
export function useEngine(
  testFile: string,
  options?: Parameters<Peers['engine']>[0],
): { database: TestDatabase; peers: Peers; engine: TestEngine } {
  const { database, peers } = usePeers(testFile);
  const engine = {} as TestEngine;
  beforeEach(async () => {
    Object.assign(engine, await peers.engine(options));
  });
  return { database, peers, engine };
}
