import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@tollgate/runtime/free-port';
import { type ServerAccount, serverAccount } from './account.js';
import { findBinaries, type PostgresBinaries } from './binaries.js';
import { ensureCluster, superuser } from './cluster.js';
import { locateData, removeData } from './location.js';
import { type ServerProcess, startProcess } from './process.js';
import { awaitFreeDirectory, recordOwner, serverPid } from './running-server.js';

export interface EmbeddedPostgresOptions {
  /** Created at the first start and kept: later starts see the same data. */
  dataDir: string;
  /** Preferred port; when it is busy, another free port is used and logged. Default: any free port. */
  port?: number;
  /** True: commits survive a power cut (fsync, synchronous_commit). False: for tests, fast and volatile. */
  durable: boolean;
  /** Default 100. */
  maxConnections?: number;
  /** Further server settings. */
  settings?: Record<string, string>;
  /** Receives one line per event that matters to the user. */
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Superuser connection, password included; listens on 127.0.0.1 only. */
  url: string;
  port: number;
  /** The actual location of the data; differs from the requested one when the server's account cannot enter that. */
  dataDir: string;
  /** Resolves when the server has ended, by `stop()` or by itself. */
  exited: Promise<number | null>;
  /** Clean shutdown; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL from the npm binaries (or an installed one). As root the server runs as `nobody`. It ends
 * when this process ends, even after a `kill -9`.
 *
 * @throws Error with a clear message when no programs are found, the data is in use, or the server does not come up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const account = serverAccount();
  const binaries = await findBinaries(account, log);
  const dataDir = locateData(options.dataDir, account);
  if (dataDir !== resolve(options.dataDir)) {
    log(`The server's account cannot enter ${options.dataDir}; the database is in ${dataDir} instead`);
  }
  mkdirSync(dirname(dataDir), { recursive: true });
  await awaitFreeDirectory(dataDir);
  const { password } = ensureCluster(dataDir, binaries, account, options);
  recordOwner(dataDir);
  const { server, port } = await startOnFreePort(options, dataDir, binaries, account);
  if (options.port !== undefined && port !== options.port)
    log(`Port ${options.port} is busy; PostgreSQL listens on ${port}`);
  return {
    url: `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    exited: server.exited,
    stop: () => server.stop(20_000),
  };
}

/** Deletes the data of a stopped server at its actual location. */
export function removeEmbeddedPostgres(dataDir: string): void {
  const account = serverAccount();
  const actual = locateData(dataDir, account);
  const pid = serverPid(actual);
  if (pid !== undefined) throw new Error(`The PostgreSQL data in ${actual} is in use by server process ${pid}`);
  removeData(dataDir, account);
}

/** Another program may take the chosen port before the server binds it, and after a crash old backends may linger. */
async function startOnFreePort(
  options: EmbeddedPostgresOptions,
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? options.port : undefined);
    try {
      return { server: await startProcess(binaries.postgres, serverArgs(options, dataDir, port), account), port };
    } catch (error) {
      if (attempt >= 10 || !/still in use|address already in use/i.test(String(error))) throw error;
      await sleep(300);
    }
  }
}

function serverArgs(options: EmbeddedPostgresOptions, dataDir: string, port: number): string[] {
  const onOff = options.durable ? 'on' : 'off';
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(options.maxConnections ?? 100),
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    jit: 'off',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...options.settings,
  };
  return [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
