import { AppError } from '@tollgate/errors';

interface Turns {
  /** Runs a task when it is its lane's turn. @throws AppError SERVICE_UNAVAILABLE when too many wait */
  take<T>(lane: string, task: () => Promise<T>): Promise<T>;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** One task at a time, and lanes by turns: however many tasks one lane has, the others wait for one of them at most. */
export function createTurns({ waitingMax }: { waitingMax: number }): Turns {
  const lanes = new Map<string, (() => Promise<void>)[]>();
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (const [lane] of lanes) {
      const tasks = lanes.get(lane)!;
      // Back to the end of the row, which this loop comes to later.
      lanes.delete(lane);
      const task = tasks.shift()!;
      if (tasks.length > 0) lanes.set(lane, tasks);
      await task();
    }
    running = undefined;
  }

  function enqueue(lane: string, task: () => Promise<void>): void {
    const tasks = lanes.get(lane) ?? [];
    if (tasks.length >= waitingMax) throw new AppError('SERVICE_UNAVAILABLE', 'too many statements are being parsed');
    tasks.push(task);
    lanes.set(lane, tasks);
    running ??= Promise.resolve().then(runAll);
  }

  return {
    take: (lane, task) =>
      new Promise((resolve, reject) => {
        enqueue(lane, () => task().then(resolve, reject));
      }),
    async idle() {
      while (running) await running;
    },
  };
}
