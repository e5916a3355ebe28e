import pg from 'pg';

export interface BoundedClientConfig extends pg.ClientConfig {
  /** How long a statement may stay unanswered; 0 = without limit. */
  answerTimeoutMs: number;
}

/**
 * A client that destroys its connection when the server leaves a statement unanswered: a hung server or network would
 * otherwise block its caller until TCP gives up. Every pending statement then fails with ETIMEDOUT; the server may still execute
 * it. The limit applies to each statement in turn, not to the time that it waits for the previous one. The driver's own
 * `query_timeout` leaves a timed-out connection in use.
 */
export class BoundedClient extends pg.Client {
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: BoundedClientConfig) {
    super(config);
    // Without a listener a broken connection would end the process. Statements and the pool report the error themselves.
    this.on('error', () => undefined);
    this.#timeoutMs = config.answerTimeoutMs;
    if (this.#timeoutMs === 0) return;
    this.query = this.#watched(this.query);
    // `drain` follows the answer to the last waiting statement, and is emitted before this listener runs.
    this.on('drain', () => this.#stop());
    this.connection.on('readyForQuery', () => this.#timer?.refresh());
    this.once('end', () => this.#stop());
  }

  #watched(query: pg.Client['query']): pg.Client['query'] {
    return ((...args: Parameters<typeof query>) => {
      this.#timer ??= setTimeout(() => this.#giveUp(), this.#timeoutMs).unref();
      return Reflect.apply(query, this, args);
    }) as pg.Client['query'];
  }

  #giveUp(): void {
    const message = `PostgreSQL left a statement unanswered for ${this.#timeoutMs} ms; the connection was destroyed`;
    this.connection.stream.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
