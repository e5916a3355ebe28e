import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const FOLDER = fileURLToPath(new URL('../', import.meta.url));

it('prints the help of npm start without installing or building anything', () => {
  const clone = mkdtempSync(join(tmpdir(), 'tollgate-clone-'));
  for (const name of ['run.mjs', 'help.txt']) cpSync(join(FOLDER, name), join(clone, 'deploy/local', name));
  const args = [join(clone, 'deploy/local/run.mjs'), 'start', '--help'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(join(FOLDER, 'help.txt'), 'utf8'));
  expect(readdirSync(clone)).toEqual(['deploy']);
  rmSync(clone, { recursive: true });
});
