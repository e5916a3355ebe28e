import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from './server.js';

let folder: string;
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'));
  chmodSync(folder, 0o755);
  servers = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const lines: string[] = [];

async function start(dataDir: string, port?: number): Promise<EmbeddedPostgres> {
  const options = { dataDir, durable: false, log: (line: string) => void lines.push(line) };
  const server = await startEmbeddedPostgres(port === undefined ? options : { ...options, port });
  servers.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the server and holds it. */
async function startInChild(dataDir: string): Promise<ChildProcess> {
  const source = fileURLToPath(new URL('./server.ts', import.meta.url));
  const tsx = new URL('../../../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(source)});
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log('up');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout! })) if (line === 'up') break;
  return child;
}

describe('startEmbeddedPostgres', () => {
  it('keeps its data and password from one start to the next', async () => {
    const first = await start(join(folder, 'data'));
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start(join(folder, 'data'));
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('requires its password', async () => {
    const server = await start(join(folder, 'data'));
    const url = new URL(server.url);
    url.password = 'guess';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('rejects data that another process is using, and names the process', async () => {
    const child = await startInChild(join(folder, 'data'));
    await expect(start(join(folder, 'data'))).rejects.toThrow(
      new RegExp(`in use .* started by process ${child.pid}\\.`),
    );
    expect(() => removeEmbeddedPostgres(join(folder, 'data'))).toThrow(/in use/);
  });

  it('ends when its process is killed, so that the next start can use the data', async () => {
    const child = await startInChild(join(folder, 'data'));
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    const server = await start(join(folder, 'data'));
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('recovers from a lock file that a crash left behind', async () => {
    const first = await start(join(folder, 'data'));
    await first.stop();
    writeFileSync(join(first.dataDir, 'postmaster.pid'), `${process.pid}\n${first.dataDir}\n`);
    await start(join(folder, 'data'));
  });

  it('uses another port when the preferred one is busy, and logs it', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const server = await start(join(folder, 'data'), port);
    blocker.close();
    expect(server.port).not.toBe(port);
    expect(lines).toContain(`Port ${port} is busy; PostgreSQL listens on ${server.port}`);
  });

  it('rejects a folder that holds other data', async () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'precious'), 'x');
    await expect(start(join(folder, 'data'))).rejects.toThrow(/not empty and holds no PostgreSQL data/);
    expect(readFileSync(join(folder, 'data', 'precious'), 'utf8')).toBe('x');
  });

  // The server has an account of its own, which cannot enter the folder, only if the test runs as root.
  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('works below a folder that only root can enter, and finds its data again', async () => {
    const hidden = join(folder, 'private');
    mkdirSync(hidden, { mode: 0o700 });
    const wanted = join(hidden, 'checkout/.local/postgres');
    const first = await start(wanted);
    expect(first.dataDir).not.toContain(folder);
    expect(lines.at(-1)).toContain(first.dataDir);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start(wanted);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    removeEmbeddedPostgres(wanted);
    expect(() => readFileSync(join(first.dataDir, 'PG_VERSION'))).toThrow(/ENOENT/);
  });
});
