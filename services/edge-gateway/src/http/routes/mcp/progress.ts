import type { ServerNotification } from '@modelcontextprotocol/server';

/** Clients give a call up some time after the last notification; the shortest time in use is a few seconds. */
const SILENCE_MS_MAX = 4_000;

export interface ProgressTarget {
  progressToken: string | number;
  send(notification: ServerNotification): Promise<void>;
}

/** The progress of one call, as its client sees it. Reports that the call continues when nothing else happens. */
export class Progress {
  readonly #target: ProgressTarget;
  readonly #silenceMs: number;
  #reported = 0;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(target: ProgressTarget, silenceMs = SILENCE_MS_MAX) {
    this.#target = target;
    this.#silenceMs = silenceMs;
    this.#await();
  }

  /** Rejects when the client cannot be reached. */
  async report(message: string): Promise<void> {
    if (this.#isEnded) return;
    this.#await();
    this.#reported += 1;
    const { progressToken, send } = this.#target;
    await send({ method: 'notifications/progress', params: { progressToken, progress: this.#reported, message } });
  }

  /** Ends the reports: nothing may follow the result. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #await(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.report('still running').catch(() => this.end()), this.#silenceMs);
  }
}
