import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.js';

/** How an alert is caused, and what its runbook says to do. */
export interface Condition {
  how: string;
  remedy: string;
  /** Causes the alert and returns the remedy: the steps of the runbook. */
  cause(stage: Stage): Promise<() => Promise<void>>;
}

/** Repeats `act` until the returned function was called and the last call has ended. Failures are expected. */
export function repeatedly(act: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await act().catch(() => undefined);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
  };
}

/** Runs several at the same time. */
export function inParallel(count: number, act: () => Promise<unknown>): () => Promise<void> {
  const stops = Array.from({ length: count }, () => repeatedly(act, 100));
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Ends forgotten transactions, as several runbooks say. */
export async function endForgottenTransactions({ sql }: Stage): Promise<void> {
  await sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE state LIKE 'idle in transaction%' AND application_name = 'console'`,
  );
}

/** A condition that a forgotten transaction causes; ending the transaction resolves it. */
export function forgottenTransaction(
  how: string,
  statement: string,
  meanwhile?: (stage: Stage) => () => Promise<void>,
): Condition {
  return {
    how,
    remedy: 'the transaction that holds the lock is found in `pg_stat_activity` and ended',
    async cause(stage) {
      await stage.forgetTransaction(statement);
      const stop = meanwhile?.(stage);
      return async () => {
        await endForgottenTransactions(stage);
        await stop?.();
      };
    },
  };
}
