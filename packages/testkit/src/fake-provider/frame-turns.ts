import { yieldLoop } from '@tollgate/runtime';

/** Frames of one stream that are sent without a break. */
const FRAMES_PER_TURN = 32;

/**
 * Shares the event loop between streams and new calls: a socket of this machine takes megabytes without a pause, so that a
 * long stream would otherwise be sent whole before anything else is read.
 */
export class FrameTurns {
  #sent = 0;

  /** Call it before each frame. Returns a promise only when the stream has to wait for its next turn. */
  next(): Promise<void> | undefined {
    if (this.#sent++ < FRAMES_PER_TURN) return undefined;
    this.#sent = 1;
    return yieldLoop();
  }
}
