import { isTransientError } from '@tollgate/errors';
import { splitHosts } from '@tollgate/runtime';
import pg from 'pg';
import { parse } from 'pg-connection-string';

/** SQLSTATE of a write on a standby, or on a server that was made read-only. */
export const READ_ONLY = '25006';
/** Limit of a connection that only asks about a server or a session. */
const PROBE_TIMEOUT_MS = 2_000;
/** A session that has been idle this long on the server while the client waits has lost a packet. */
const SETTLED = '1 second';

const SHARING_ATTEMPTS = 3;

interface Question {
  pid: number;
  ends: boolean;
  resolve: (verdict: Verdict) => void;
}

export interface Host {
  host: string;
  port: number;
}

/** Whether the server is executing a statement of the session. `unknown`: no server could be asked. */
export type Verdict = 'executing' | 'not executing' | 'unknown';

const known = new Map<string, Servers>();

/** Returns the servers of a URL, the same object for the same URL: its connections share what one of them has found. */
export function serversFor(url: string): Servers {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
}

/** The servers that a URL names, of which one accepts writes. */
export class Servers {
  /** One URL per host. */
  readonly urls: readonly string[];
  #writable: Promise<Host> | undefined;
  #questions: Question[] = [];
  #isAsking = false;
  #isShared: Promise<boolean> | undefined;

  constructor(url: string) {
    this.urls = splitHosts(url) ?? [url];
  }

  /** Returns the first host that accepts writes; undefined if the URL names one host, which needs no search. */
  async findWritable(): Promise<Host | undefined> {
    if (this.urls.length === 1) return undefined;
    this.#writable ??= this.#search();
    const search = this.#writable;
    try {
      return await search;
    } catch (error) {
      if (this.#writable === search) this.#writable = undefined;
      throw error;
    }
  }

  /** Searches again for the next connection: the host has failed, or does not accept writes. */
  forget(): void {
    this.#writable = undefined;
  }

  /** Asks on a new connection about a session whose statement stays unanswered. `ends`: ends the session if it executes nothing. */
  judge(pid: number, ends: boolean): Promise<Verdict> {
    return new Promise((resolve) => {
      this.#questions.push({ pid, ends, resolve });
      if (!this.#isAsking) void this.#answer();
    });
  }

  /**
   * Returns whether a pooler gives the server session of an idle connection to other connections, too: it does in transaction
   * and statement mode, where settings, locks and notifications of a session are lost. Asked until it is known.
   */
  sharesSession(pid: number): Promise<boolean> {
    this.#isShared ??= this.#askWhetherShared(pid).catch((error: unknown) => {
      this.#isShared = undefined;
      throw error;
    });
    return this.#isShared;
  }

  /** A pooler hands out the server session that became idle last. Another client may be faster, but not every time. */
  async #askWhetherShared(pid: number): Promise<boolean> {
    const url = this.urls[0] ?? '';
    for (let attempt = 0; attempt < SHARING_ATTEMPTS; attempt++) {
      const other = await askOnce(url, async (client) => {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        return rows[0]?.pid;
      });
      if (other === pid) return true;
    }
    return false;
  }

  /** Asks all hosts at once and takes the first of the list, so that every process chooses the same one. */
  async #search(): Promise<Host> {
    const attempts = await Promise.allSettled(this.urls.map((url) => askOnce(url, requireWritable)));
    const index = attempts.findIndex(({ status }) => status === 'fulfilled');
    const url = this.urls[index];
    if (url !== undefined) return toHost(url);
    const errors = attempts.map((attempt) => (attempt as PromiseRejectedResult).reason as Error);
    const list = errors.map(({ message }, i) => `${toName(this.urls[i] ?? '')}: ${message}`).join('; ');
    const cause = errors.find(isTransientError) ?? errors[0];
    throw new Error(`no host of DATABASE_URL accepts writes (${list})`, { cause });
  }

  /** One connection for all sessions that wait at the time: a network failure stops many at once. */
  async #answer(): Promise<void> {
    this.#isAsking = true;
    while (this.#questions.length > 0) {
      const questions = this.#questions.splice(0);
      const executing = await this.#readExecuting(questions).catch(() => undefined);
      for (const { pid, resolve } of questions)
        resolve(executing ? (executing.has(pid) ? 'executing' : 'not executing') : 'unknown');
    }
    this.#isAsking = false;
  }

  /** Returns the sessions that execute something. Terminates others where that is asked, since they may hold locks. */
  async #readExecuting(questions: readonly Question[]): Promise<Set<number>> {
    const pids = questions.map(({ pid }) => pid);
    const ended = questions.filter(({ ends }) => ends).map(({ pid }) => pid);
    const host = await this.findWritable();
    const url = this.urls.find((candidate) => host === undefined || isSame(toHost(candidate), host)) ?? '';
    return askOnce(url, async (client) => {
      const { rows } = await client.query<{ pid: number; is_executing: boolean }>(sessionsSql, [pids, ended]);
      return new Set(rows.filter(({ is_executing }) => is_executing).map(({ pid }) => pid));
    });
  }
}

const sessionsSql = `
  SELECT pid,
         CASE WHEN state LIKE 'idle%' AND state_change < clock_timestamp() - interval '${SETTLED}'
              THEN CASE WHEN pid = ANY($2) THEN NOT pg_terminate_backend(pid) ELSE false END
              ELSE true END AS is_executing
    FROM pg_stat_activity
   WHERE pid = ANY($1) AND datname = current_database() AND usename = current_user`;

/** Reports a server that does not accept writes. */
export function readOnlyError(): Error {
  return Object.assign(new Error('the database server is read-only'), { code: READ_ONLY });
}

async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw readOnlyError();
}

async function askOnce<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollgate probe',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  // Without a listener a connection that breaks between two events would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    // Closing may wait for a server that does not answer.
    void client.end().catch(() => undefined);
  }
}

function toHost(url: string): Host {
  const { host, port } = parse(url);
  return { host: host ?? 'localhost', port: Number(port ?? 5432) };
}

function toName(url: string): string {
  const { host, port } = toHost(url);
  return `${host}:${port}`;
}

function isSame(one: Host, other: Host): boolean {
  return one.host === other.host && one.port === other.port;
}
