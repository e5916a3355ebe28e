// Folders of tests and benchmarks under the temporary directory that a killed run has left.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** No run lasts for a day. */
const AGE_MS_MIN = 86_400_000;
/** NAME of the folders that `mkdtemp` makes for the prefix `tollgate-NAME-`. A test compares them with the code. */
const NAMES = [
  'abandoned',
  'agent',
  'backup',
  'bench',
  'bench-images',
  'browser',
  'catalog',
  'chaos',
  'cli',
  'clients',
  'clocks',
  'clone',
  'commits',
  'compose',
  'connections',
  'console',
  'contracts',
  'embedded',
  'examples',
  'exercise',
  'failover',
  'hosts',
  'images',
  'journal',
  'kubernetes',
  'ledger-faults',
  'leftovers',
  'local',
  'loops',
  'main',
  'migrations',
  'newcomer',
  'pause',
  'pooler',
  'processor',
  'prometheus',
  'release',
  'replicated',
  'schemathesis',
  'servers',
  'service',
  'statements',
  'storm',
  'system',
  'upgrade',
  'versions',
];
const LEFTOVER = new RegExp(`^tollgate-(${NAMES.join('|')})-[A-Za-z0-9]{6}$`);

/** Whether a folder with this name in the temporary directory is one of a test or benchmark. */
export function isOfTests(name: string): boolean {
  return LEFTOVER.test(name);
}

/** Deletes this account's folders of tests that nothing has changed for a day. */
export function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (isOfTests(name) && isOld(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function isOld(folder: string): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === process.getuid?.() && Date.now() - stat.mtimeMs > AGE_MS_MIN;
}
