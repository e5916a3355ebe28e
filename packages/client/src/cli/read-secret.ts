import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

const LENGTH_MAX = 64 * 1024;

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Reads a line without showing it. From a file or a pipe: its first line. */
export async function readSecret(
  { input, output }: { input: Input; output: NodeJS.WritableStream },
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  if (input.isTTY) output.write(prompt);
  // The terminal's echo goes nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: input.isTTY === true });
  const interrupt = (): void => reader.close();
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    for await (const line of reader) return line.slice(0, LENGTH_MAX).trim();
    return '';
  } finally {
    signal.removeEventListener('abort', interrupt);
    reader.close();
    if (input.isTTY) output.write('\n');
  }
}
