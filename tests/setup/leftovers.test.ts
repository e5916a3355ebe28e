import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readSourceFiles } from '../architecture/source-files.js';
import { isOfTests, removeLeftovers } from './leftovers.js';

const TWO_DAYS_S = 2 * 86_400;
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tollgate-leftovers-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

function makeFolder(name: string, ageS: number): void {
  mkdirSync(join(parent, name, 'inside'), { recursive: true });
  const changedAt = Date.now() / 1000 - ageS;
  utimesSync(join(parent, name), changedAt, changedAt);
}

it('removes only folders of tests that have not changed for a day', () => {
  for (const name of ['tollgate-system-aB3dE6', 'tollgate-ledger-faults-aB3dE6']) makeFolder(name, TWO_DAYS_S);
  const kept = ['tollgate-mine-aB3dE6', 'tollgate-system', 'tollgate-system-aB3dE6x', 'x-tollgate-system-aB3dE6'];
  for (const name of kept) makeFolder(name, TWO_DAYS_S);
  makeFolder('tollgate-system-young1', 60);
  removeLeftovers(parent);
  expect(readdirSync(parent).sort()).toEqual([...kept, 'tollgate-system-young1'].sort());
});

it('finds every temporary folder that a test makes', () => {
  const made = readSourceFiles(/\.(ts|mjs)$/).flatMap(({ path, text }) =>
    [...text.matchAll(/mkdtemp(?:Sync)?\(\s*join\(.*?tmpdir\(\), '([^']*)'\)/g)].map(([, prefix]) => ({
      path,
      prefix,
    })),
  );
  expect(made.length).toBeGreaterThan(30);
  expect(made.filter(({ prefix }) => !isOfTests(`${prefix}aB3dE6`))).toEqual([]);
});
