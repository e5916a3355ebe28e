import pg from 'pg';
import { explainConnectError, SHARED_SESSION } from './connect-errors.js';
import { READ_ONLY, readOnlyError, type Servers } from './servers.js';

export interface BoundedClientConfig extends pg.ClientConfig {
  /** How long a statement may stay unanswered; 0 = without limit. */
  answerTimeoutMs: number;
  /** The settings of every session, `search_path` among them. They travel in the start-up parameter `options`. */
  sessionSettings: Readonly<Record<string, string>>;
  /** The servers of the URL. */
  servers: Servers;
}

const TICK_MS = 1_000;
/** An idle session asks its server after this many ticks whether it still accepts writes. */
const IDLE_TICKS = 2;
/** After this many ticks without an answer, another connection asks whether the server executes the statement. */
const UNANSWERED_TICKS = 2;

/** Settings that the server reports when they change: the session is on a server that does not accept writes. */
const READ_ONLY_SETTINGS = new Set(['in_hot_standby', 'default_transaction_read_only']);

const sessionSql = `
  SELECT current_setting('transaction_read_only') = 'on' AS is_read_only, pg_backend_pid() AS pid`;

interface Session {
  is_read_only: boolean;
  pid: number;
}

/**
 * A client that ends its connection when it is of no use, so that its owner opens another one:
 *
 * - The server does not accept writes: it is a standby, or was made read-only. Another server may be the primary now.
 * - A statement stays unanswered although the server executes nothing: packets were lost.
 * - A statement stays unanswered for longer than `answerTimeoutMs`, because the server or the network hangs. The server may
 *   still execute it. The limit applies to each statement in turn, not to the time that it waits for the previous one. The
 *   driver's own `query_timeout` leaves a timed-out connection in use.
 *
 * Otherwise the owner would wait until TCP gives up, or fail for as long as the connection lives.
 */
export class BoundedClient extends pg.Client {
  readonly #config: BoundedClientConfig;
  #answerTimer: NodeJS.Timeout | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #serverPid = 0;
  #isWaiting = false;
  #isInTransaction = false;
  #isReadOnly = false;
  /** Since the last answer, or since the statement that waits was sent. */
  #ticks = 0;
  /** Another connection has seen that the server executes nothing, and no answer has come since. */
  #isInDoubt = false;

  constructor(config: BoundedClientConfig) {
    super(config);
    this.#config = config;
    // Without a listener a broken connection would end the process. Statements and the pool report the error themselves.
    this.on('error', () => undefined);
    this.query = this.#watched(this.query);
    // `drain` follows the answer to the last waiting statement, and is emitted before this listener runs.
    this.on('drain', () => this.#rest());
    this.once('end', () => {
      this.#rest();
      clearInterval(this.#ticker);
    });
    this.connection.on('readyForQuery', (message: unknown) => this.#noteAnswer(message));
    this.connection.on('errorMessage', (message: unknown) => this.#noteError(message));
    this.connection.on('parameterStatus', (message: unknown) => this.#noteSetting(message));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(
    callback?: ((error: Error) => void) | ((error: null, client: pg.Client) => void),
  ): Promise<pg.Client> | undefined {
    const opened = this.#open();
    if (!callback) return opened;
    const report = callback as (error: Error | null, client?: pg.Client) => void;
    opened.then(
      () => report(null, this),
      (error: Error) => report(error),
    );
    return undefined;
  }

  async #open(): Promise<pg.Client> {
    const { servers } = this.#config;
    try {
      const host = await servers.findWritable();
      // A pool that no longer waits has destroyed the socket.
      if (this.connection.stream.destroyed) throw new Error('Connection terminated: the wait for it has ended');
      if (host) Object.assign(this, host);
      await super.connect();
      await this.#checkSession();
    } catch (error) {
      servers.forget();
      this.connection.stream.destroy();
      throw explainConnectError(error);
    }
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
    return this;
  }

  /** @throws Error with SQLSTATE 25006 on a server that does not accept writes */
  async #checkSession(): Promise<void> {
    const { rows } = await this.query<Session>(sessionSql);
    const [session] = rows;
    if (!session || session.is_read_only) throw readOnlyError();
    if (session.pid !== readProcessId(this)) await this.#enterPooler(session.pid);
    this.#serverPid = session.pid;
  }

  /** A pooler answers for the server, and drops `options`: the settings are made here, if the session is ours alone. */
  async #enterPooler(pid: number): Promise<void> {
    const { sessionSettings, servers } = this.#config;
    if (await servers.sharesSession(pid)) throw new Error(SHARED_SESSION);
    const settings = [Object.keys(sessionSettings), Object.values(sessionSettings)];
    await this.query(
      'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s (name, value)',
      settings,
    );
  }

  #watched(query: pg.Client['query']): pg.Client['query'] {
    return ((...args: Parameters<typeof query>) => {
      if (!this.#isWaiting) this.#ticks = 0;
      this.#isWaiting = true;
      const { answerTimeoutMs } = this.#config;
      if (answerTimeoutMs > 0) {
        const limit = `for ${answerTimeoutMs} ms`;
        this.#answerTimer ??= setTimeout(() => this.#destroyUnanswered(limit), answerTimeoutMs).unref();
      }
      return Reflect.apply(query, this, args);
    }) as pg.Client['query'];
  }

  #rest(): void {
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
    this.#isWaiting = false;
  }

  #noteAnswer(message: unknown): void {
    this.#answerTimer?.refresh();
    this.#ticks = 0;
    this.#isInDoubt = false;
    this.#isInTransaction = (message as { status: string }).status !== 'I';
    const isOpen = this.#serverPid !== 0;
    if (isOpen && this.#isReadOnly && !this.#isInTransaction) this.#destroy(readOnlyError());
  }

  #noteError(message: unknown): void {
    if ((message as { code?: string }).code !== READ_ONLY) return;
    this.#isReadOnly = true;
    // Now, not when the session ends: its owner hears of the error at once, and may connect again before.
    this.#config.servers.forget();
  }

  #noteSetting(message: unknown): void {
    const { parameterName, parameterValue } = message as { parameterName: string; parameterValue: string };
    if (READ_ONLY_SETTINGS.has(parameterName) && parameterValue === 'on') this.#isReadOnly = true;
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#isWaiting) {
      // Less and less often: a slow statement is asked about a few times only.
      if (this.#ticks >= UNANSWERED_TICKS && Number.isInteger(Math.log2(this.#ticks))) void this.#judge();
    } else if (this.#ticks >= IDLE_TICKS && !this.#isInTransaction) {
      void this.#askReadOnly();
    }
  }

  async #askReadOnly(): Promise<void> {
    const answer = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only').catch(
      () => undefined,
    );
    if (answer?.rows[0]?.transaction_read_only === 'on') this.#destroy(readOnlyError());
  }

  async #judge(): Promise<void> {
    const isSecond = this.#isInDoubt;
    const verdict = await this.#config.servers.judge(this.#serverPid, isSecond);
    // An answer may have arrived in the meantime.
    if (verdict !== 'not executing' || !this.#isWaiting || this.#ticks < UNANSWERED_TICKS) return;
    // On a busy machine the server may not have read the statement yet, or this process its answer: a second verdict decides.
    if (isSecond) this.#destroyUnanswered('and executes nothing');
    this.#isInDoubt = true;
  }

  #destroyUnanswered(how: string): void {
    const message = `PostgreSQL left a statement unanswered ${how}; the connection was destroyed`;
    this.#destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }

  #destroy(error: Error): void {
    this.#config.servers.forget();
    this.connection.stream.destroy(error);
  }
}

/** Returns the process of the server, or the number that a pooler made up. The driver's types lack it. */
function readProcessId(client: pg.Client): number | undefined {
  return (client as { processID?: number }).processID;
}
