/** Ends calls whose deadline has passed. One coarse timer for all calls of a process: a timer per call costs more. */
const TICK_MS = 25;

interface Watched {
  deadline: number;
  expire(): void;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** Calls `expire` once the deadline (epoch ms) has passed, within 25 ms, unless unwatched before. */
export function watchDeadline(deadline: number, expire: () => void): Watched {
  const entry = { deadline, expire };
  watched.add(entry);
  if (!timer) {
    timer = setInterval(sweep, TICK_MS);
    timer.unref();
  }
  return entry;
}

export function unwatchDeadline(entry: Watched): void {
  watched.delete(entry);
  if (watched.size === 0 && timer) {
    clearInterval(timer);
    timer = undefined;
  }
}

function sweep(): void {
  const now = Date.now();
  for (const entry of watched) {
    if (entry.deadline > now) continue;
    watched.delete(entry);
    entry.expire();
  }
}
