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
  const [buffer, start] = allocate(OIDS.uuid, rows.length, values.length, rows.length * values.length * UUID_BYTES);
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
  const [buffer, start] = allocate(OIDS.bigint, rows.length, values.length, rows.length * values.length * BIGINT_BYTES);
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

/** Returns a `text[]`; null and undefined are NULL. PostgreSQL has no text with NUL characters. */
export function textArray(values: readonly (string | null | undefined)[]): Buffer {
  let bytes = 0;
  for (const value of values) if (!isNull(value)) bytes += Buffer.byteLength(value);
  const [buffer, start] = allocate(OIDS.text, values.length, 1, bytes);
  let offset = start;
  for (const value of values) {
    const written = isNull(value) ? 0 : buffer.write(value, offset + LENGTH_BYTES);
    buffer.writeInt32BE(isNull(value) ? NULL_LENGTH : written, offset);
    offset += LENGTH_BYTES + written;
  }
  return buffer;
}

/** Returns a `bytea[]`. */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  let bytes = 0;
  for (const value of values) bytes += value.byteLength;
  const [buffer, start] = allocate(OIDS.bytea, values.length, 1, bytes);
  let offset = start;
  for (const value of values) {
    buffer.writeInt32BE(value.byteLength, offset);
    buffer.set(value, offset + LENGTH_BYTES);
    offset += LENGTH_BYTES + value.byteLength;
  }
  return buffer;
}

/** Types of elements that {@link binaryArray} can write. */
export type ElementType = keyof typeof ELEMENTS;

interface Element<Value> {
  oid: number;
  byteLength(value: Value): number;
  /** Writes `length` bytes. */
  write(value: Value, to: Buffer, offset: number, length: number): void;
}

/** PostgreSQL counts microseconds since 2000. */
const TIMESTAMP_EPOCH_MS = Date.UTC(2000);

const ELEMENTS = {
  bool: {
    oid: 16,
    byteLength: () => 1,
    write: (value, to, offset) => to.writeUInt8(value ? 1 : 0, offset),
  } satisfies Element<boolean>,
  bytea: {
    oid: OIDS.bytea,
    byteLength: (value) => value.byteLength,
    write: (value, to, offset) => to.set(value, offset),
  } satisfies Element<Uint8Array>,
  bigint: {
    oid: OIDS.bigint,
    byteLength: () => BIGINT_BYTES,
    write: (value, to, offset) => to.writeBigInt64BE(BigInt(value), offset),
  } satisfies Element<bigint | number | string>,
  int: {
    oid: 23,
    byteLength: () => 4,
    write(value, to, offset) {
      invariant(Number.isInteger(value), 'a number in a batch has no fraction'); // the buffer would cut it off
      to.writeInt32BE(value, offset);
    },
  } satisfies Element<number>,
  text: {
    oid: OIDS.text,
    byteLength: (value) => Buffer.byteLength(value),
    write: (value, to, offset, length) => to.write(value, offset, length),
  } satisfies Element<string>,
  timestamptz: {
    oid: 1184,
    byteLength: () => BIGINT_BYTES,
    write: (value, to, offset) => to.writeBigInt64BE(BigInt(value.getTime() - TIMESTAMP_EPOCH_MS) * 1000n, offset),
  } satisfies Element<Date>,
  uuid: {
    oid: OIDS.uuid,
    byteLength: () => UUID_BYTES,
    write: (value, to, offset) => writeUuid(value, to, offset),
  } satisfies Element<string>,
} as const;

/**
 * Returns an array of one dimension. Null and undefined are NULL.
 *
 * @throws Error if a value cannot be one of the type
 */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const element: Element<unknown> = ELEMENTS[type] as Element<never>;
  const lengths = values.map((value) => (isNull(value) ? NULL_LENGTH : element.byteLength(value)));
  const bytes = lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
  const [buffer, start] = allocate(element.oid, values.length, 1, bytes);
  let offset = start;
  values.forEach((value, i) => {
    const length = lengths[i]!;
    buffer.writeInt32BE(length, offset);
    offset += LENGTH_BYTES;
    if (length === NULL_LENGTH) return;
    element.write(value, buffer, offset, length);
    offset += length;
  });
  return buffer;
}

function isNull(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns a buffer with its header written, and the offset of the first element. An empty array has no dimensions. */
function allocate(oid: number, rows: number, perRow: number, bytes: number): [Buffer, number] {
  const dimensions = rows === 0 ? [] : perRow === 1 ? [rows] : [rows, perRow];
  const start = HEADER_BYTES + dimensions.length * DIMENSION_BYTES;
  const buffer = Buffer.allocUnsafe(start + rows * perRow * LENGTH_BYTES + bytes);
  buffer.writeInt32BE(dimensions.length, 0);
  buffer.writeInt32BE(0, 4); // The server ignores whether there are NULLs and finds them by their length.
  buffer.writeInt32BE(oid, 8);
  dimensions.forEach((size, i) => {
    buffer.writeInt32BE(size, HEADER_BYTES + i * DIMENSION_BYTES);
    buffer.writeInt32BE(1, HEADER_BYTES + i * DIMENSION_BYTES + 4); // the lower bound
  });
  return [buffer, start];
}
