import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type System, startSystem } from '../system/start-system.js';

/** A system whose fake provider writes down every call. */
export interface JournaledSystem {
  system: System;
  journalFile: string;
}

/** Registers hooks that start the services as separate processes for the test file, and fill the returned objects. */
export function useJournaledSystem(
  options: Pick<Parameters<typeof startSystem>[0], 'env' | 'envFor' | 'replicas'>,
): JournaledSystem {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-chaos-'));
  const journalFile = join(folder, 'provider.ndjson');
  const system = {} as System;
  beforeAll(async () => {
    Object.assign(system, await startSystem({ mode: 'separate processes', journalFile, ...options }));
  });
  afterAll(async () => {
    await system.stop?.();
    rmSync(folder, { recursive: true, force: true });
  });
  return { system, journalFile };
}
