import { readFile, stat } from 'node:fs/promises';
import { CliError, EXIT, type Shell } from '../shell.js';

/** Several times the size of the known lists. */
const BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Reads JSON from a file, or from an address that begins with `https:` or `http:`. @throws CliError naming what is wrong */
export async function readJsonFrom(shell: Pick<Shell, 'fetch' | 'signal'>, source: string): Promise<unknown> {
  const text = /^https?:\/\//.test(source) ? await download(shell, source) : await readSmallFile(source);
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(source, 'is not JSON');
  }
}

async function readSmallFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > BYTES_MAX) throw wrong(file, `has more than ${BYTES_MAX} bytes`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw wrong(file, 'does not exist');
    throw error;
  }
}

async function download({ fetch, signal }: Pick<Shell, 'fetch' | 'signal'>, url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  if (!answer.ok) throw wrong(url, `answers ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw wrong(url, `has more than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function wrong(source: string, problem: string): CliError {
  return new CliError(`${source} ${problem}`, { exitCode: EXIT.usage });
}
