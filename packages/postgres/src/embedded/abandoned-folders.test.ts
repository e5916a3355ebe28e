import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ownFolderName, removeAbandonedFolders } from './abandoned-folders.js';

const HOUR_S = 3_600;
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tollgate-abandoned-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

function makeFolder(name: string, ageS: number): void {
  mkdirSync(join(parent, name, 'inside'), { recursive: true });
  const changedAt = Date.now() / 1000 - ageS;
  utimesSync(join(parent, name), changedAt, changedAt);
}

it('removes only old folders of processes that have ended', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const kept = [ownFolderName('draft-'), `draft-${ended}-young`, 'draft-', `draft-${ended}x`, `other-${ended}`].sort();
  for (const name of kept) makeFolder(name, name.endsWith('young') ? 60 : 2 * HOUR_S);
  for (const name of [`draft-${ended}`, `draft-${ended}-aB3dE6`]) makeFolder(name, 2 * HOUR_S);
  removeAbandonedFolders(parent, 'draft-');
  expect(readdirSync(parent).sort()).toEqual(kept);
});
