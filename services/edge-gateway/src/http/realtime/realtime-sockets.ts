import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Metrics } from '@tollgate/metrics';
import type { EdgeConfig } from '../../config.js';
import { OpenPlaces } from '../../limits/open-places.js';

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
  readonly #places: OpenPlaces;
  readonly #open = new Set<OpenSocket>();
  readonly #timer: NodeJS.Timeout;

  constructor({ socketsMax: max, ...limits }: EdgeConfig['realtime'], metrics: Metrics) {
    this.#places = new OpenPlaces({ ...limits, max, things: 'realtime sessions', advice: 'close one' });
    this.#timer = setInterval(() => {
      for (const socket of this.#open) socket.check();
    }, CHECK_MS);
    this.#timer.unref();
    const help = 'Open sockets of the Realtime API, with those that are being opened.';
    metrics.observe({
      series: { sockets: { name: 'tollgate_realtime_sockets', help } },
      read: () => ({ sockets: this.#places.taken }),
    });
  }

  /** Takes a place. Returns the function that frees it. @throws AppError SERVICE_UNAVAILABLE, RATE_LIMIT */
  take(principal: Principal): () => void {
    return this.#places.take(principal);
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
}
