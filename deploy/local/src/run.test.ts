import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';

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

it.each([
  'deploy/local/dist/bundle/main.js',
  'services/messaging/dist/bundle/main.js',
  'packages/console/dist/index.html',
])('builds again on npm start when %s is missing', (file) => {
  const clone = builtClone();
  expect(startsBuild(clone)).toBe(true);
  expect(startsBuild(clone)).toBe(false);
  rmSync(join(clone, file));
  expect(startsBuild(clone)).toBe(true);
  rmSync(clone, { recursive: true });
});

it('starts despite a dangling link among the sources, such as the lock file of an editor', () => {
  const clone = builtClone();
  symlinkSync('user@host.1', join(clone, 'services/messaging/.#main.ts'));
  expect(startsBuild(clone)).toBe(true);
  rmSync(clone, { recursive: true });
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'passes %s to npm on to what npm start runs, and waits for its end',
  async (signal) => {
    const clone = builtClone();
    cpSync(join(FOLDER, '../../package.json'), join(clone, 'package.json'));
    writeFileSync(join(clone, 'deploy/local/dist/main.js'), STOPPABLE);
    expect(startsBuild(clone, ['--once'])).toBe(true);
    const npm = spawn('npm', ['start'], { cwd: clone, stdio: 'ignore' });
    const ended = new Promise((resolve) => npm.once('exit', resolve));
    const started = join(clone, 'started');
    await waitUntil(() => existsSync(started), { what: 'the start', timeoutMs: 50_000 });
    const pid = Number(readFileSync(started, 'utf8'));
    try {
      npm.kill(signal);
      await ended;
      expect(existsSync(join(clone, 'drained'))).toBe(true);
    } finally {
      if (!existsSync(join(clone, 'drained'))) process.kill(pid, 'SIGKILL');
      rmSync(clone, { recursive: true });
    }
  },
);

/** A service that takes a moment to drain. */
const STOPPABLE = `
import { renameSync, writeFileSync } from 'node:fs';
const drain = () => setTimeout(() => { writeFileSync('drained', ''); process.exit(); }, 300);
if (!process.argv.includes('--once')) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, drain);
  writeFileSync('starting', String(process.pid));
  renameSync('starting', 'started');
  setInterval(() => {}, 1_000);
}
`;

/** Makes a built clone with one service of empty files, and a fake turbo that only records its run. */
function builtClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'tollgate-clone-'));
  const write = (path: string, text = '', mode = 0o644) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text, { mode });
  };
  cpSync(join(FOLDER, 'run.mjs'), join(clone, 'deploy/local/run.mjs'));
  for (const path of ['packages/x.ts', 'proto/x.proto', 'deploy/bundle/x.mjs', 'turbo.json', 'pnpm-workspace.yaml'])
    write(path);
  for (const folder of ['deploy/local', 'services/messaging'])
    for (const file of ['main.js', 'bundle/main.js']) write(`${folder}/dist/${file}`);
  write('packages/console/dist/index.html');
  write('pnpm-lock.yaml');
  write('node_modules/.install-stamp', createHash('sha256').update(process.version).digest('hex'));
  write('node_modules/.bin/turbo', '#!/bin/sh\ntouch turbo-ran\n', 0o755);
  return clone;
}

/** Runs `npm start` in the clone; true = it ran turbo. */
function startsBuild(clone: string, more: readonly string[] = []): boolean {
  const ran = join(clone, 'turbo-ran');
  rmSync(ran, { force: true });
  const args = [join(clone, 'deploy/local/run.mjs'), 'start', ...more];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  expect({ status, stderr: stderr.replace(/^Built in .*\n/, '') }).toEqual({ status: 0, stderr: '' });
  return existsSync(ran);
}
