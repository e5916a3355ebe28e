// Arrays in PostgreSQL's binary format: a header, then each element with its length. The server reads text arrays character by
// character, and values would have to be escaped.

import { invariant } from '@tollgate/errors';

const HEADER_BYTES = 12;
const DIMENSION_BYTES = 8;
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const BIGINT_BYTES = 8;
/** The length of NULL. */
const NULL_LENGTH = -1;

/** Object identifiers of the element types. */
const OIDS = { bytea: 17, bigint: 20, text: 25, uuid: 2950 } as const;

type Values<Row, Value> = readonly ((row: Row) => Value)[];

/** Returns a `uuid[]`; with several values per row, of two dimensions. */
export function uuidArray<Row>(rows: readonly Row[], values: Values<Row, string>): Buffer {
  const [buffer, start] = allocate('uuid', rows.length, values.length, rows.length * values.length * UUID_BYTES);
  let offset = start;
  for (const row of rows) {
    for (const value of values) {
      buffer.writeInt32BE(UUID_BYTES, offset);
      writeUuid(value(row), buffer, offset + LENGTH_BYTES);
      offset += LENGTH_BYTES + UUID_BYTES;
    }
  }
  return buffer;
}

/** Where the 16 bytes of a UUID's text begin: two hexadecimal digits each. */
const UUID_DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const UUID_LENGTH = 36;
const NO_DIGIT = 0x100;
const DIGITS = Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

/** Digit by digit: `Buffer.write` needs the text without dashes, which is another string per id. */
function writeUuid(id: string, to: Buffer, offset: number): void {
  let seen = id.length === UUID_LENGTH ? 0 : NO_DIGIT;
  for (let i = 0; i < UUID_BYTES; i++) {
    const at = UUID_DIGITS[i]!;
    const byte = ((DIGITS[id.charCodeAt(at)] ?? NO_DIGIT) << 4) | (DIGITS[id.charCodeAt(at + 1)] ?? NO_DIGIT);
    seen |= byte;
    to[offset + i] = byte;
  }
  invariant(seen < NO_DIGIT, 'an id in a batch is a UUID');
}

/** Returns a `bigint[]`; with several values per row, of two dimensions. */
export function bigintArray<Row>(rows: readonly Row[], values: Values<Row, bigint | number>): Buffer {
  const [buffer, start] = allocate('bigint', rows.length, values.length, rows.length * values.length * BIGINT_BYTES);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let offset = start;
  for (const row of rows) {
    for (const value of values) {
      const number = BigInt(value(row));
      invariant(BigInt.asIntN(64, number) === number, 'a number in a batch has 64 bits');
      view.setInt32(offset, BIGINT_BYTES);
      view.setBigInt64(offset + LENGTH_BYTES, number);
      offset += LENGTH_BYTES + BIGINT_BYTES;
    }
  }
  return buffer;
}

/** Returns a `text[]`. PostgreSQL has no text with NUL characters. */
export function textArray(values: readonly (string | undefined)[]): Buffer {
  let bytes = 0;
  for (const value of values) if (value !== undefined) bytes += Buffer.byteLength(value);
  const [buffer, start] = allocate('text', values.length, 1, bytes);
  let offset = start;
  for (const value of values) {
    const written = value === undefined ? 0 : buffer.write(value, offset + LENGTH_BYTES);
    buffer.writeInt32BE(value === undefined ? NULL_LENGTH : written, offset);
    offset += LENGTH_BYTES + written;
  }
  return buffer;
}

/** Returns a `bytea[]`. */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  let bytes = 0;
  for (const value of values) bytes += value.byteLength;
  const [buffer, start] = allocate('bytea', values.length, 1, bytes);
  let offset = start;
  for (const value of values) {
    buffer.writeInt32BE(value.byteLength, offset);
    buffer.set(value, offset + LENGTH_BYTES);
    offset += LENGTH_BYTES + value.byteLength;
  }
  return buffer;
}

/** Returns a buffer with its header written, and the offset of the first element. An empty array has no dimensions. */
function allocate(type: keyof typeof OIDS, rows: number, perRow: number, bytes: number): [Buffer, number] {
  const dimensions = rows === 0 ? [] : perRow === 1 ? [rows] : [rows, perRow];
  const start = HEADER_BYTES + dimensions.length * DIMENSION_BYTES;
  const buffer = Buffer.allocUnsafe(start + rows * perRow * LENGTH_BYTES + bytes);
  buffer.writeInt32BE(dimensions.length, 0);
  buffer.writeInt32BE(0, 4); // The server ignores whether there are NULLs and finds them by their length.
  buffer.writeInt32BE(OIDS[type], 8);
  dimensions.forEach((size, i) => {
    buffer.writeInt32BE(size, HEADER_BYTES + i * DIMENSION_BYTES);
    buffer.writeInt32BE(1, HEADER_BYTES + i * DIMENSION_BYTES + 4); // the lower bound
  });
  return [buffer, start];
}
