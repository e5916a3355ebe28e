import { setImmediate } from 'node:timers/promises';
import type { CheckSchema } from '../../domain/mcp/offered-tools.js';

/** For all schemas of one listing. Ordinary schemas take a few milliseconds each. */
const CHECKS_MS_MAX = 500;

type CompileFault = (schema: Readonly<Record<string, unknown>>, limits: { timeoutMs: number }) => string | undefined;

/**
 * Returns a check that refuses a listing's schemas when the time of the listing is over. All tenants share the event loop, so
 * the process checks one schema at a time, and serves everything else between two checks.
 */
export function limitChecks(compileFault: CompileFault, budgetMs = CHECKS_MS_MAX): CheckSchema {
  let remainingMs = budgetMs;
  return (schema) =>
    inTurn(() => {
      if (remainingMs < 1) return 'was not checked: the schemas of the server take too long to check together';
      const started = performance.now();
      const fault = compileFault(schema, { timeoutMs: Math.floor(remainingMs) });
      remainingMs -= performance.now() - started;
      return fault;
    });
}

let previous: Promise<unknown> = Promise.resolve();

/** Runs one piece of work per turn of the event loop. */
function inTurn<T>(work: () => T): Promise<T> {
  const result = previous.then(() => setImmediate()).then(work);
  previous = result.catch(() => undefined);
  return result;
}
