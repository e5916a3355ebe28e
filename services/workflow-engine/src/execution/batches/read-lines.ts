import { batchLimits } from '../../domain/batches/batch-limits.js';

/** A line of a file, without its end. Blank lines are left out, but counted. */
export interface FileLine {
  /** From 1. */
  line: number;
  text: string;
}

/** A place between two lines of a file: the offset in one of its parts, and the lines before it. */
export interface FilePlace {
  part: number;
  offset: number;
  line: number;
}

/** Parts of a file from a place on. */
export interface FileParts extends AsyncIterable<Buffer> {
  /** Whether the last part was read when the parts end. */
  readonly isWhole: boolean;
}

/** Why the rest of a file cannot be read as lines. */
export class UnreadableLine extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const LINE_FEED = 0x0a;
const { lineBytes: LINE_BYTES_MAX } = batchLimits;

/**
 * Splits a file into lines, from a place on, and moves the place behind each line. If the parts end early, the line that
 * continues in the next part is left for later.
 *
 * @throws UnreadableLine for a line that is too long or not UTF-8
 */
export async function* readLines(parts: FileParts, place: FilePlace): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = place.part;
  let from = place.offset;
  for await (const part of parts) {
    for (let end = part.indexOf(LINE_FEED, from); end >= 0; end = part.indexOf(LINE_FEED, from)) {
      if (restBytes + end - from > LINE_BYTES_MAX) throw tooLong(place.line + 1);
      const bytes = rest.length === 0 ? part.subarray(from, end) : Buffer.concat([...rest, part.subarray(from, end)]);
      [rest, restBytes, from] = [[], 0, end + 1];
      const text = bytes.length === 0 ? '' : decode(bytes, place.line + 1);
      Object.assign(place, { part: number, offset: from, line: place.line + 1 });
      if (text !== '') yield { line: place.line, text };
    }
    restBytes += part.length - from;
    if (restBytes > LINE_BYTES_MAX) throw tooLong(place.line + 1);
    rest.push(part.subarray(from));
    [number, from] = [number + 1, 0];
  }
  if (!parts.isWhole) return;
  const text = decode(Buffer.concat(rest), place.line + 1);
  if (text !== '') yield { line: place.line + 1, text };
}

function decode(bytes: Buffer, line: number): string {
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw new UnreadableLine(line, 'This line is not UTF-8.');
  }
}

function tooLong(line: number): UnreadableLine {
  return new UnreadableLine(line, `This line is longer than ${LINE_BYTES_MAX} bytes.`);
}
