/** The running and waiting work of one account. */
interface Share<Work> {
  running: number;
  waiting: Work[];
}

export interface FairSlotsOptions<Work> {
  /** Number of items that may run at once. */
  slots: number;
  /** Number of items that may wait for a slot. */
  waitingMax: number;
  start(work: Work): void;
}

/**
 * Shares slots between accounts. An account may use as many slots, or places to wait, as it leaves free: a single busy
 * account gets at most half of them, so another account always finds room, even if the first one's work never ends.
 */
export class FairSlots<Work> {
  readonly #options: FairSlotsOptions<Work>;
  readonly #shares = new Map<string, Share<Work>>();
  #running = 0;
  #waiting = 0;

  constructor(options: FairSlotsOptions<Work>) {
    this.#options = options;
  }

  /** Starts the work, now or once a slot is free for it. Returns false when the queue has no room for it. */
  take(account: string, work: Work): boolean {
    const share = this.#shares.get(account) ?? { running: 0, waiting: [] };
    if (share.waiting.length === 0 && this.#hasSlotFor(share)) {
      this.#shares.set(account, share);
      this.#start(share, work);
      return true;
    }
    if (share.waiting.length >= this.#options.waitingMax - this.#waiting) return false;
    this.#shares.set(account, share);
    share.waiting.push(work);
    this.#waiting++;
    return true;
  }

  /** Removes waiting work from the queue. Returns false when it was not waiting. */
  drop(account: string, work: Work): boolean {
    const share = this.#shares.get(account);
    const at = share?.waiting.indexOf(work) ?? -1;
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

  #hasSlotFor({ running }: Share<Work>): boolean {
    return running < this.#options.slots - this.#running;
  }

  /** Starts waiting work, first that of the account with the least running work; accounts with as much take turns. */
  #startWaiting(): void {
    for (;;) {
      let next: Share<Work> | undefined;
      let account = '';
      for (const [name, share] of this.#shares) {
        if (share.waiting.length === 0 || (next && share.running >= next.running)) continue;
        next = share;
        account = name;
      }
      if (!next || !this.#hasSlotFor(next)) return;
      // Behind the others, for the next turn.
      this.#shares.delete(account);
      this.#shares.set(account, next);
      this.#waiting--;
      this.#start(next, next.waiting.shift() as Work);
    }
  }

  #start(share: Share<Work>, work: Work): void {
    share.running++;
    this.#running++;
    this.#options.start(work);
  }

  #forgetIfIdle(account: string, { running, waiting }: Share<Work>): void {
    if (running === 0 && waiting.length === 0) this.#shares.delete(account);
  }
}
