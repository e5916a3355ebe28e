import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { WatchedTurn } from '../../workers/turn-watch.js';

/** Between two signs to the ledger that the work goes on. */
const PROGRESS_EVERY_MS = 2_000;

/** Work that takes long and tells nothing until it is done: keeps its hold alive, and ends with it. */
export class HeldWork implements WatchedTurn {
  /** Ends with the caller, with the hold, and with the process. */
  readonly call: Call;
  readonly #ctx: Context;
  readonly #holdId: string;
  #reportedAt: number;
  #isDone = false;

  constructor(ctx: Context, holdId: string, call: Call) {
    this.#ctx = ctx;
    this.#holdId = holdId;
    this.call = call.with({});
    this.#reportedAt = ctx.clock.nowMs();
    ctx.liveTurns.add(this);
  }

  done(): void {
    this.#isDone = true;
    this.#ctx.liveTurns.delete(this);
  }

  report(nowMs: number): void {
    if (this.#isDone || nowMs - this.#reportedAt < PROGRESS_EVERY_MS) return;
    this.#reportedAt = nowMs;
    const { billing, logger } = this.#ctx;
    billing.recordProgress({ holdId: this.#holdId, usage: {} }, this.call.detached(PROGRESS_EVERY_MS)).then(
      ({ open }) => open || this.#isDone || this.#end('the reservation of funds for this request has ended'),
      (err: unknown) => logger.warn({ err, request_id: this.call.requestId }, 'progress was not recorded'),
    );
  }

  cut(): void {
    this.#end('the service is stopping');
  }

  #end(message: string): void {
    this.call.abort(new AppError('SERVICE_UNAVAILABLE', message));
  }
}
