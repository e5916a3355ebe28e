import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findOrBuildTree, type TreeKey } from './version-cache.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEY: TreeKey = { commit: 'a'.repeat(40), nodeVersion: 'v26.10.0' };

let cache: string;
let builds: number;
beforeEach(() => {
  cache = join(mkdtempSync(join(tmpdir(), 'tollgate-versions-')), 'versions');
  builds = 0;
});
afterEach(() => rmSync(join(cache, '..'), { recursive: true, force: true }));

function findTree(key: TreeKey): string {
  return findOrBuildTree(cache, key, (draft) => {
    builds += 1;
    mkdirSync(draft);
    writeFileSync(join(draft, 'built'), key.commit);
  });
}

function setLastUse(folder: string, daysAgo: number): void {
  const then = new Date(Date.now() - daysAgo * DAY_MS);
  utimesSync(folder, then, then);
}

it('builds a tree once', () => {
  const root = findTree(KEY);
  expect(readFileSync(join(root, 'built'), 'utf8')).toBe(KEY.commit);
  expect(findTree(KEY)).toBe(root);
  expect(builds).toBe(1);
  expect(readdirSync(cache)).toHaveLength(1);
});

it('builds a tree for each commit and each version of Node', () => {
  const roots = [KEY, { ...KEY, commit: 'b'.repeat(40) }, { ...KEY, nodeVersion: 'v24.11.0' }].map(findTree);
  expect(new Set(roots).size).toBe(3);
  expect(builds).toBe(3);
  for (const root of roots) expect(existsSync(root)).toBe(true);
});

it('keeps nothing of a build that fails', () => {
  const fail = (draft: string) => {
    mkdirSync(draft);
    throw new Error('no compiler');
  };
  expect(() => findOrBuildTree(cache, KEY, fail)).toThrow('no compiler');
  expect(readdirSync(cache)).toEqual([]);
});

it('keeps a tree that was built long ago and used lately, and deletes an unused tree after 14 days', () => {
  const used = findTree(KEY);
  const unused = findTree({ ...KEY, commit: 'b'.repeat(40) });
  setLastUse(used, 15);
  setLastUse(unused, 15);
  findTree(KEY);
  findTree({ ...KEY, nodeVersion: 'v24.11.0' });
  expect([used, unused].map((root) => existsSync(root))).toEqual([true, false]);
});

it('deletes the draft of a run that was killed, and keeps that of a running one', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const drafts = [ended, process.ppid].map((pid) => join(cache, `${'b'.repeat(40)}-node-v26.10.0.draft-${pid}`));
  for (const draft of drafts) mkdirSync(draft, { recursive: true });
  findTree(KEY);
  expect(drafts.map((draft) => existsSync(draft))).toEqual([false, true]);
});
