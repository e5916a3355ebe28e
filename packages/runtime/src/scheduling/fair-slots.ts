/** Starts work that has a slot. */
type Start = () => void;

/** The running and waiting work of one account. */
interface Share {
  running: number;
  waiting: Start[];
}

export interface FairSlotsOptions {
  /** Number of items that may run at once. */
  slots: number;
  /** Number of items of one account that may run at once, default `slots`. */
  accountMax?: number;
  /** Number of items that may wait for a slot. */
  waitingMax: number;
}

/** How long work waits for a slot. */
export interface Waiting {
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  /** Longest wait, default unlimited. */
  waitMs?: number;
  /** Returns what is thrown when too much work of the account waits, or this work waited too long or was aborted. */
  refuse(): Error;
}

/**
 * Shares slots between accounts. An account may use as many slots, or places to wait, as it leaves free: a single busy
 * account gets at most half of them, so another account always finds room, even if the first one's work never ends.
 */
export class FairSlots {
  readonly #options: FairSlotsOptions;
  readonly #shares = new Map<string, Share>();
  #running = 0;
  #waiting = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /**
   * Runs the work once a slot is free for it, and then frees the slot.
   *
   * @throws the error of `refuse`, without running the work
   */
  async run<Result>(
    account: string,
    work: () => Promise<Result>,
    { signal, waitMs, refuse }: Waiting,
  ): Promise<Result> {
    let hasSlot = false;
    let resume: (() => void) | undefined;
    const enter = (): void => {
      hasSlot = true;
      resume?.();
    };
    if (signal?.aborted || !this.take(account, enter)) throw refuse();
    if (!hasSlot) {
      const hasLeft = await new Promise<boolean>((resolve) => {
        const stop = (left: boolean): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          resolve(left);
        };
        // Its place is free at once for the next one.
        const leave = (): void => {
          if (this.drop(account, enter)) stop(true);
        };
        const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs);
        signal?.addEventListener('abort', leave);
        resume = () => stop(false);
      });
      if (hasLeft) throw refuse();
    }
    try {
      return await work();
    } finally {
      this.release(account);
    }
  }

  /** Starts the work, now or once a slot is free for it. Returns false when the queue has no room for it. */
  take(account: string, start: Start): boolean {
    const share = this.#shares.get(account) ?? { running: 0, waiting: [] };
    if (share.waiting.length === 0 && this.#hasSlotFor(share)) {
      this.#shares.set(account, share);
      this.#start(share, start);
      return true;
    }
    if (share.waiting.length >= this.#options.waitingMax - this.#waiting) return false;
    this.#shares.set(account, share);
    share.waiting.push(start);
    this.#waiting++;
    return true;
  }

  /** Removes waiting work from the queue. Returns false when it was not waiting. */
  drop(account: string, start: Start): boolean {
    const share = this.#shares.get(account);
    const at = share?.waiting.indexOf(start) ?? -1;
    if (!share || at < 0) return false;
    share.waiting.splice(at, 1);
    this.#waiting--;
    this.#forgetIfIdle(account, share);
    return true;
  }

  /** Frees a slot after the account's work has ended. */
  release(account: string): void {
    const share = this.#shares.get(account);
    if (!share) return;
    share.running--;
    this.#running--;
    this.#forgetIfIdle(account, share);
    if (this.#waiting > 0) this.#startWaiting();
  }

  #hasSlotFor({ running }: Share): boolean {
    const { slots, accountMax = slots } = this.#options;
    return running < Math.min(accountMax, slots - this.#running);
  }

  /** Starts waiting work, first that of the account with the least running work; accounts with as much alternate. */
  #startWaiting(): void {
    for (;;) {
      let next: Share | undefined;
      let account = '';
      for (const [name, share] of this.#shares) {
        if (share.waiting.length === 0 || (next && share.running >= next.running)) continue;
        next = share;
        account = name;
      }
      if (!next || !this.#hasSlotFor(next)) return;
      // Behind the others, for the next round.
      this.#shares.delete(account);
      this.#shares.set(account, next);
      this.#waiting--;
      this.#start(next, next.waiting.shift() as Start);
    }
  }

  #start(share: Share, start: Start): void {
    share.running++;
    this.#running++;
    start();
  }

  #forgetIfIdle(account: string, { running, waiting }: Share): void {
    if (running === 0 && waiting.length === 0) this.#shares.delete(account);
  }
}
