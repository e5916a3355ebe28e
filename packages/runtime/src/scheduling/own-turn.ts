/** Callers that wait for a turn, longest first. */
const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop that no other caller gets. Call it before each piece of work that takes milliseconds:
 * callers that only yield resume in the same turn, so that their pieces together make everything else wait.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  const [resume] = waiting.splice(0, 1);
  if (waiting.length > 0) setImmediate(resumeOne);
  resume?.();
}

/** Runs a generator to its end, each part in a turn of its own. `signal` ends it early. @throws the signal's reason */
export async function inOwnTurns<Result>(parts: Iterator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
    await ownTurn();
    signal?.throwIfAborted();
  }
}
