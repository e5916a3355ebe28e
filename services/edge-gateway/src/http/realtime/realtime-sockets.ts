import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Metrics } from '@tollgate/metrics';
import type { EdgeConfig } from '../../config.js';

/** An open socket. */
export interface OpenSocket {
  readonly principal: Principal;
  /** Ends what has lost its credential, and what no longer answers. */
  check(): void;
  /** Lets the running response finish, then closes. */
  drain(): void;
  terminate(): void;
}

const CHECK_MS = 1_000;

/** The sockets of this process: their limits, checks and end. */
export class RealtimeSockets {
  readonly #limits: EdgeConfig['realtime'];
  readonly #open = new Set<OpenSocket>();
  readonly #counts = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #taken = 0;

  constructor(limits: EdgeConfig['realtime'], metrics: Metrics) {
    this.#limits = limits;
    this.#timer = setInterval(() => {
      for (const socket of this.#open) socket.check();
    }, CHECK_MS);
    this.#timer.unref();
    const help = 'Open sockets of the Realtime API, with those that are being opened.';
    metrics.observe({
      series: { sockets: { name: 'tollgate_realtime_sockets', help } },
      read: () => ({ sockets: this.#taken }),
    });
  }

  /** Takes a place. Returns the function that frees it. @throws AppError SERVICE_UNAVAILABLE, RATE_LIMIT */
  take({ projectId, customerId }: Principal): () => void {
    const { socketsMax, perProjectMax, perCustomerMax } = this.#limits;
    if (this.#taken >= socketsMax) {
      throw new AppError('SERVICE_UNAVAILABLE', 'too many realtime sessions are open', { retryAfterSeconds: 5 });
    }
    const places = [{ key: `p:${projectId}`, max: perProjectMax, who: 'the project' }];
    if (customerId !== '') places.push({ key: `c:${customerId}`, max: perCustomerMax, who: 'the customer' });
    for (const { key, max, who } of places) {
      if ((this.#counts.get(key) ?? 0) < max) continue;
      throw new AppError('RATE_LIMIT', `${who} has ${max} realtime sessions open; close one`, { retryAfterSeconds: 5 });
    }
    this.#taken++;
    for (const { key } of places) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      this.#taken--;
      for (const { key } of places) this.#give(key);
    };
  }

  add(socket: OpenSocket): void {
    this.#open.add(socket);
  }

  delete(socket: OpenSocket): void {
    this.#open.delete(socket);
  }

  drain(): void {
    for (const socket of this.#open) socket.drain();
  }

  terminate(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open) socket.terminate();
  }

  #give(key: string): void {
    const left = (this.#counts.get(key) ?? 0) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}
