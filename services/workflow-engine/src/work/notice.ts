/** What one process tells the others; see wake-ups.ts. */
export interface Notice {
  origin: string;
  runs: readonly string[];
  /** Some run was cut short. */
  cut: boolean;
  /** Work was queued. */
  work: boolean;
}

/** A NOTIFY payload holds less than 8000 bytes; a run id takes 39 of them. */
const RUNS_PER_NOTICE = 150;

export function writeNotices(
  origin: string,
  news: { runs: ReadonlySet<string>; cut: boolean; work: boolean },
): string[] {
  const runs = [...news.runs];
  const payloads: string[] = [];
  for (let at = 0; at === 0 || at < runs.length; at += RUNS_PER_NOTICE) {
    const notice: Notice = {
      origin,
      runs: runs.slice(at, at + RUNS_PER_NOTICE),
      cut: at === 0 && news.cut,
      work: at === 0 && news.work,
    };
    payloads.push(JSON.stringify(notice));
  }
  return payloads;
}

/** Undefined for what no process of this version has written. */
export function readNotice(payload: string): Notice | undefined {
  try {
    const value = JSON.parse(payload) as Partial<Notice>;
    if (typeof value.origin !== 'string' || !Array.isArray(value.runs)) return undefined;
    return { origin: value.origin, runs: value.runs, cut: value.cut === true, work: value.work === true };
  } catch {
    return undefined;
  }
}
