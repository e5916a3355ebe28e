// Loaded by the thread of json-thread.ts.
import { MAYBE_INEXACT, markNumbers } from '../json/exact-json.js';

/** Text to parse, or a value to write. `mark` is what the caller's exact numbers begin with. */
export type JsonJob = { mark: string } & ({ text: Uint8Array; isExact: boolean } | { value: object });

/** `isMarked`: numbers of the value are text that begins with the mark. */
export type JsonResult = { value: unknown; isMarked: boolean } | { bytes: Uint8Array } | { isInvalid: true };

export function run(job: JsonJob): JsonResult {
  return 'text' in job ? parse(job.text, job.isExact, job.mark) : { bytes: write(job.value, job.mark) };
}

function parse({ buffer, byteOffset, byteLength }: Uint8Array, isExact: boolean, mark: string): JsonResult {
  const sent = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  try {
    const marked = isExact && MAYBE_INEXACT.test(sent) ? markNumbers(sent, mark) : sent;
    return { value: JSON.parse(marked), isMarked: marked !== sent };
  } catch {
    return { isInvalid: true };
  }
}

function write(value: object, mark: string): Uint8Array {
  const json = JSON.stringify(value);
  const exact = json.includes(mark) ? json.replace(new RegExp(`"${mark}([-+.0-9eE]+)"`, 'g'), '$1') : json;
  return new TextEncoder().encode(exact);
}
