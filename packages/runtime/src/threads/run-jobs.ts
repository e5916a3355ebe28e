// The program of a thread: does the jobs that it is sent with the function `run` of the module that `workerData` names.
import { parentPort, workerData } from 'node:worker_threads';

interface Sent {
  id: number;
  job: unknown;
}

const loaded: Promise<{ run(job: unknown): unknown }> = import(workerData as string);

parentPort?.on('message', async ({ id, job }: Sent) => {
  const { run } = await loaded;
  const result = await run(job);
  parentPort?.postMessage({ id, result }, movedMemory(result));
});

/** A result `{ bytes }` is moved, not copied, if its memory holds nothing else. */
function movedMemory(result: unknown): ArrayBuffer[] {
  const bytes = typeof result === 'object' && result !== null && 'bytes' in result ? result.bytes : undefined;
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return [];
  return bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : [];
}
