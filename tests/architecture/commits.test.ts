import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const check = fileURLToPath(new URL('../../.ci/commits.mjs', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-commits-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(command: string, ...args: string[]) {
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const env = { PATH: process.env.PATH, HOME: folder, ...identity };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
  return { status, output: `${stdout}${stderr}` };
}

function checkMessage(text: string) {
  writeFileSync(join(folder, 'message'), text);
  return run(process.execPath, check, 'message');
}

function commit(message: string): void {
  const { status, output } = run('git', 'commit', '--quiet', '--allow-empty', '-m', message);
  if (status !== 0) throw new Error(output);
}

const good = 'edge: reject empty names\n\nThey were stored.';

describe('the check of commit messages', () => {
  it.each([good, 'rpc: feed the stream\n\nWhy.\n\nMore.', 'billing, tools: pass the limit\n\nWhy.\n# a comment'])(
    'accepts %j',
    (message) => {
      expect(checkMessage(message)).toEqual({ status: 0, output: '' });
    },
  );

  it.each([
    [`edge: reject ${'x'.repeat(60)}\n\nWhy.`, 'longer than 72'],
    ['Reject empty names\n\nWhy.', 'not of the form'],
    ['edge: rejected empty names\n\nWhy.', '"rejected" is not imperative'],
    ['edge: rejecting empty names\n\nWhy.', '"rejecting" is not imperative'],
    ['edge: rejects empty names\n\nWhy.', '"rejects" is not imperative'],
    ['edge: reject empty names', 'a body has to give the reason'],
    ['edge: reject empty names\n\n# a comment', 'a body has to give the reason'],
    ['edge: reject empty names\nWhy.', 'after an empty line'],
  ])('rejects %j', (message, reason) => {
    expect(checkMessage(message)).toEqual({ status: 1, output: expect.stringContaining(reason) });
  });
});

describe('the check of the history', () => {
  beforeEach(() => {
    run('git', 'init', '--quiet');
    commit('before the check');
    mkdirSync(join(folder, '.ci'));
    writeFileSync(join(folder, '.ci/commits.mjs'), '');
    run('git', 'add', '.');
    commit('also adds the check');
  });

  it('passes when all commits since the check was added are good', () => {
    commit(good);
    expect(run(process.execPath, check)).toEqual({ status: 0, output: '' });
  });

  it('reports each bad commit by its hash, and none before the last tag', () => {
    commit('bad');
    run('git', 'tag', 'v1');
    expect(run(process.execPath, check).status).toBe(0);
    commit(good);
    commit('edge: adds a thing\n\nWhy.');
    const { status, output } = run(process.execPath, check);
    expect(status).toBe(1);
    expect(output.trim()).toMatch(/^commit message: [0-9a-f]{10}: "adds" is not imperative: edge: adds a thing$/);
  });

  it('skips a source archive', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    expect(run(process.execPath, check)).toMatchObject({ status: 0, output: expect.stringContaining('no history') });
  });
});
