import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-main-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm start` without its build until it ends. */
function start(env: Record<string, string>): { status: number | null; lines: string[] } {
  const { PATH = '' } = process.env;
  const given = { PATH, TOLLGATE_HOME: join(folder, 'home'), ...env };
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--port', '0'], {
    env: given,
    encoding: 'utf8',
    timeout: 50_000,
  });
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^\[ *[\d.]+ s\]/.test(line));
  return { status, lines };
}

describe('npm start with a setting that cannot work', () => {
  it('names DATABASE_URL and the remedy when no server listens there', () => {
    const { status, lines } = start({ DATABASE_URL: 'postgres://user:sesame@127.0.0.1:1/x' });
    expect(lines).toEqual([
      'DATABASE_URL: PostgreSQL cannot be used (connection refused). Correct it, or unset it to use the embedded PostgreSQL.',
    ]);
    expect(status).toBe(1);
  });

  it('names DATABASE_URL when it is not a PostgreSQL URL', () => {
    const { status, lines } = start({ DATABASE_URL: 'hello' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^Invalid configuration: DATABASE_URL: expected postgresql:\/\/user:password@host:port\/database/,
    );
    expect(status).toBe(1);
  });

  it('names LOG_LEVEL and its values before it starts PostgreSQL', () => {
    const { status, lines } = start({ LOG_LEVEL: 'loud' });
    expect(lines).toEqual([
      'Invalid configuration: LOG_LEVEL: expected fatal or error or warn or info or debug or trace or silent',
    ]);
    expect(status).toBe(1);
  });

  it('names TOLLGATE_HOME when the local data cannot be written', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { status, lines } = start({ TOLLGATE_HOME: join(file, 'home') });
    expect(lines).toEqual([
      `Cannot write to ${join(file, 'home')} (ENOTDIR). Set TOLLGATE_HOME to a folder that can be written; it holds all local data.`,
    ]);
    expect(status).toBe(1);
  });
});
