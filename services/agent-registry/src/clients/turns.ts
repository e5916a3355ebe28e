import { AppError } from '@tollgate/errors';

interface Turns {
  /** Runs a task when its queue is next. @throws AppError SERVICE_UNAVAILABLE when too many tasks of the queue wait */
  take<T>(queue: string, task: () => Promise<T>): Promise<T>;
  /** Resolves when no task runs or waits. */
  idle(): Promise<void>;
}

/** Runs one task at a time, taking queues in rotation: a queue waits for at most one task of each other queue. */
export function createTurns({ waitingMax }: { waitingMax: number }): Turns {
  const queues = new Map<string, (() => Promise<void>)[]>();
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    for (const [queue] of queues) {
      const tasks = queues.get(queue)!;
      // Moves the queue to the end of the rotation; the loop reaches it again later.
      queues.delete(queue);
      const task = tasks.shift()!;
      if (tasks.length > 0) queues.set(queue, tasks);
      await task();
    }
    running = undefined;
  }

  function enqueue(queue: string, task: () => Promise<void>): void {
    const tasks = queues.get(queue) ?? [];
    if (tasks.length >= waitingMax) throw new AppError('SERVICE_UNAVAILABLE', 'too many statements are being parsed');
    tasks.push(task);
    queues.set(queue, tasks);
    running ??= Promise.resolve().then(runAll);
  }

  return {
    take: (queue, task) =>
      new Promise((resolve, reject) => {
        enqueue(queue, () => task().then(resolve, reject));
      }),
    async idle() {
      while (running) await running;
    },
  };
}
