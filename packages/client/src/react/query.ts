/** The state of an answer of the gateway. */
export interface QueryState<T> {
  /** The last answer; it stays when a later request fails. */
  data: T | undefined;
  /** Why the last request failed: a `TollgateError`, or what the source of tokens threw. */
  error: unknown;
  isLoading: boolean;
}

interface Subscriber {
  onChange: () => void;
  refreshMs: number | undefined;
}

const INITIAL: QueryState<never> = { data: undefined, error: undefined, isLoading: true };

/** One request that several components show. It is sent when the first of them appears, and ended with the last. */
export class Query<T> {
  readonly #load: (signal: AbortSignal) => PromiseLike<T>;
  readonly #subscribers = new Set<Subscriber>();
  #state: QueryState<T> = INITIAL;
  #controller: AbortController | undefined;
  #loading: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(load: (signal: AbortSignal) => PromiseLike<T>) {
    this.#load = load;
  }

  readonly getState = (): QueryState<T> => this.#state;

  /** Servers render without an answer: they send no requests. */
  readonly getServerState = (): QueryState<T> => INITIAL;

  subscribe(onChange: () => void, refreshMs: number | undefined): () => void {
    const subscriber = { onChange, refreshMs };
    this.#subscribers.add(subscriber);
    this.#schedule();
    if (this.#subscribers.size === 1) void this.refresh();
    return () => {
      this.#subscribers.delete(subscriber);
      this.#schedule();
      if (this.#subscribers.size > 0) return;
      this.#controller?.abort();
      this.#loading = undefined;
    };
  }

  /** Asks again; calls at the same time share one request. Resolves when the state has the answer or the error. */
  readonly refresh = (): Promise<void> => {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  };

  async #loadOnce(): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    const publish = (change: Partial<QueryState<T>>): void => {
      if (controller !== this.#controller || controller.signal.aborted) return;
      this.#state = { ...this.#state, ...change };
      for (const { onChange } of this.#subscribers) onChange();
    };
    if (!this.#state.isLoading) publish({ isLoading: true });
    try {
      const data = await this.#load(controller.signal);
      publish({ data, error: undefined, isLoading: false });
    } catch (error) {
      publish({ error, isLoading: false });
    } finally {
      if (controller === this.#controller) this.#loading = undefined;
    }
  }

  /** Refreshes as often as the most frequent subscriber wants, and not while the page is hidden. */
  #schedule(): void {
    clearInterval(this.#timer);
    const wanted = [...this.#subscribers].flatMap(({ refreshMs }) => refreshMs ?? []);
    if (wanted.length === 0) return;
    this.#timer = setInterval(
      () => {
        if (globalThis.document?.visibilityState !== 'hidden') void this.refresh();
      },
      Math.max(REFRESH_MS_MIN, Math.min(...wanted)),
    );
  }
}

/** A shorter interval would use up the limits of the customer. */
const REFRESH_MS_MIN = 1_000;
