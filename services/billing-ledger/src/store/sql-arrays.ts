/**
 * Returns a PostgreSQL array literal of values that need no quoting (numbers, UUIDs, our own identifiers). One string per
 * column of a batch avoids the driver's per-element escaping, which costs more than the statement itself.
 */
export function arrayLiteral(values: Iterable<bigint | number | string>): string {
  let out = '{';
  let isFirst = true;
  for (const value of values) {
    if (isFirst) isFirst = false;
    else out += ',';
    out += value;
  }
  return `${out}}`;
}

/** Returns an array literal of arbitrary text without NUL. */
export function textArrayLiteral(values: readonly string[]): string {
  return `{${values.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Returns an array literal of bytes in hex form. */
export function byteaArrayLiteral(values: readonly Uint8Array[]): string {
  return `{${values.map((bytes) => `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}"`).join(',')}}`;
}

/** Returns constants of the code as a list of SQL literals, for `IN (…)` in a statement's text. */
export function literalList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
