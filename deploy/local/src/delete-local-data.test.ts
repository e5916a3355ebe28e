import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { deleteLocalData } from './delete-local-data.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tollgate-local-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('deletes a folder that holds the data of a local stack', () => {
  writeFileSync(join(home, 'secrets.json'), '{}');
  mkdirSync(join(home, 'logs'));
  deleteLocalData(home);
  expect(existsSync(home)).toBe(false);
});

it('deletes nothing in a folder that holds other data', () => {
  writeFileSync(join(home, 'thesis.tex'), 'years of work');
  expect(() => deleteLocalData(home)).toThrow('holds no data of Tollgate');
  expect(existsSync(join(home, 'thesis.tex'))).toBe(true);
});

it('accepts a missing folder before the first start', () => {
  expect(() => deleteLocalData(join(home, 'never'))).not.toThrow();
});
