/** The payload by which one process wakes the others; see wake-ups.ts. */
export interface Notification {
  origin: string;
  runs: readonly string[];
  /** Some run was cut short. */
  cut: boolean;
  /** Work was queued. */
  work: boolean;
}

/** A NOTIFY payload holds less than 8000 bytes; a run id takes 39 of them. */
const RUNS_PER_NOTIFICATION = 150;

export function writeNotifications(
  origin: string,
  changes: { runs: ReadonlySet<string>; cut: boolean; work: boolean },
): string[] {
  const runs = [...changes.runs];
  const payloads: string[] = [];
  for (let at = 0; at === 0 || at < runs.length; at += RUNS_PER_NOTIFICATION) {
    const notification: Notification = {
      origin,
      runs: runs.slice(at, at + RUNS_PER_NOTIFICATION),
      cut: at === 0 && changes.cut,
      work: at === 0 && changes.work,
    };
    payloads.push(JSON.stringify(notification));
  }
  return payloads;
}

/** Returns undefined for a payload of another form; a process of another version may have sent it. */
export function readNotification(payload: string): Notification | undefined {
  try {
    const value = JSON.parse(payload) as Partial<Notification>;
    if (typeof value.origin !== 'string' || !Array.isArray(value.runs)) return undefined;
    return { origin: value.origin, runs: value.runs, cut: value.cut === true, work: value.work === true };
  } catch {
    return undefined;
  }
}
