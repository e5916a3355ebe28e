/** A line of a file, without its end. Blank lines are left out, but counted. */
export interface FileLine {
  /** From 1. */
  line: number;
  text: string;
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

/** Splits a file, which comes in parts, into lines. @throws UnreadableLine for a line that is too long or not UTF-8 */
export async function* readLines(parts: AsyncIterable<Buffer>, lineBytesMax: number): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 0;
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, from)) {
      line += 1;
      if (restBytes + end - from > lineBytesMax) throw tooLong(line, lineBytesMax);
      const text = decode(Buffer.concat([...rest, part.subarray(from, end)]), line);
      [rest, restBytes, from] = [[], 0, end + 1];
      if (text !== '') yield { line, text };
    }
    restBytes += part.length - from;
    if (restBytes > lineBytesMax) throw tooLong(line + 1, lineBytesMax);
    rest.push(part.subarray(from));
  }
  const text = decode(Buffer.concat(rest), line + 1);
  if (text !== '') yield { line: line + 1, text };
}

function decode(bytes: Buffer, line: number): string {
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw new UnreadableLine(line, 'This line is not UTF-8.');
  }
}

function tooLong(line: number, bytes: number): UnreadableLine {
  return new UnreadableLine(line, `This line is longer than ${bytes} bytes.`);
}
