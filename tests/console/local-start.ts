// `npm start` as a newcomer runs it, with local data of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@tollgate/testkit';

const MAIN = fileURLToPath(new URL('../../deploy/local/dist/main.js', import.meta.url));
const TIMEOUT_MS = 180_000;

export interface LocalStart {
  /** Addresses by the names in the printed text. */
  console: string;
  payments: string;
  stop(): Promise<void>;
}

/** Starts the built system and reads the addresses that it prints. */
export async function startLocally(): Promise<LocalStart> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-newcomer-'));
  const { PATH = '', HOME = '', USER = '', DATABASE_URL } = process.env;
  const env = { PATH, HOME, USER, TOLLGATE_HOME: join(folder, 'home'), ...(DATABASE_URL && { DATABASE_URL }) };
  const child = spawn(process.execPath, [MAIN, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let logged = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const isStarted = () => printed.includes('Ctrl-C stops') || child.exitCode !== null;
    await waitUntil(isStarted, { what: 'the start', timeoutMs: TIMEOUT_MS });
    return { console: readAddress(printed, 'Console'), payments: readAddress(printed, 'Payments'), stop };
  } catch (error) {
    await stop();
    throw new Error(`npm start failed: ${logged}`, { cause: error });
  }
}

function readAddress(printed: string, name: string): string {
  const address = new RegExp(`^ *${name} +(http\\S+)`, 'm').exec(printed)?.[1];
  if (address === undefined) throw new Error(`no address of ${name} in ${printed}`);
  return address;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
