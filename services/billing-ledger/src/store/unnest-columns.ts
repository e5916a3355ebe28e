import { arrayLiteral, byteaArrayLiteral, textArrayLiteral } from './sql-arrays.js';

/** A column of rows that are passed to a statement as one array per column. */
export interface Column<Row> {
  type: string;
  encode(rows: readonly Row[]): string;
}

/** The columns of a row by name. Names, types and values are listed once; parameters are numbered by position. */
export type Columns<Row> = Record<string, Column<Row>>;

/** A column of values that need no quoting. */
export function plain<Row>(type: string, value: (row: Row) => bigint | number | string): Column<Row> {
  return { type, encode: (rows) => arrayLiteral(rows.map(value)) };
}

/** A column of arbitrary text. */
export function text<Row>(value: (row: Row) => string): Column<Row> {
  return { type: 'text', encode: (rows) => textArrayLiteral(rows.map(value)) };
}

export function bytea<Row>(value: (row: Row) => Uint8Array): Column<Row> {
  return { type: 'bytea', encode: (rows) => byteaArrayLiteral(rows.map(value)) };
}

/** Returns `unnest($1::uuid[], …) AS alias (id, …)` with parameters numbered from `first`. */
export function unnest<Row>(columns: Columns<Row>, alias: string, first = 1): string {
  const parameters = Object.values(columns).map(({ type }, i) => `$${first + i}::${type}[]`);
  return `unnest(${parameters.join(', ')}) AS ${alias} (${Object.keys(columns).join(', ')})`;
}

/** Returns the parameters of {@link unnest}. */
export function toColumns<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  return Object.values(columns).map((column) => column.encode(rows));
}

/** Returns the number of the first parameter after those of `columns`. */
export function nextParameter<Row>(columns: Columns<Row>, first: number): number {
  return first + Object.keys(columns).length;
}
