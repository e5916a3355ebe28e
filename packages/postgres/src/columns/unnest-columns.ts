import { invariant } from '@tollgate/errors';
import { bigintArray, byteaArray, textArray, uuidArray } from './binary-arrays.js';

export { arrayLiteral } from './array-literal.js';
export { bigintArray, binaryArray, byteaArray, type ElementType, textArray, uuidArray } from './binary-arrays.js';

/**
 * A column of rows that are passed to a statement as arrays. Columns of ids travel together, and so do columns of numbers,
 * in one array of two dimensions (their carrier): the server spends time on every parameter and array that it unnests.
 */
export type Column<Row> =
  | { type: 'uuid'; carrier: 'uuid'; value(row: Row): string }
  | { type: 'bigint' | 'int' | 'smallint'; carrier: 'bigint'; value(row: Row): bigint | number }
  | { type: string; carrier?: undefined; encode(rows: readonly Row[]): Buffer };

/** The columns of a row. Names, types and values are listed once; parameters are numbered by position. */
export interface Columns<Row> {
  /** The names, in order, for the column list of an INSERT. */
  list: string;
  parameterCount: number;
  /** Returns a FROM item `alias` with one row per encoded row. Its parameters are numbered from `first`. */
  unnest(alias: string, first?: number): string;
  /** Returns the value of a column with a carrier in the row at an SQL position, as the FROM item has it. */
  pick(name: string, position: string, first: number): string;
  /** Returns the parameters of {@link unnest}. */
  encode(rows: readonly Row[]): Buffer[];
}

export function uuid<Row>(value: (row: Row) => string): Column<Row> {
  return { type: 'uuid', carrier: 'uuid', value };
}

export function number<Row>(type: 'bigint' | 'int' | 'smallint', value: (row: Row) => bigint | number): Column<Row> {
  return { type, carrier: 'bigint', value };
}

/** A column of text, without NUL characters; undefined is NULL. */
export function text<Row>(value: (row: Row) => string | undefined): Column<Row> {
  return { type: 'text', encode: (rows) => textArray(rows.map(value)) };
}

export function bytea<Row>(value: (row: Row) => Uint8Array): Column<Row> {
  return { type: 'bytea', encode: (rows) => byteaArray(rows.map(value)) };
}

interface Parameter<Row> {
  type: string;
  /** Names of the columns that it carries. */
  columns: string[];
  isPack: boolean;
  encode(rows: readonly Row[]): Buffer;
}

/** Requires a column of ids or numbers. */
export function defineColumns<Row>(columns: Record<string, Column<Row>>): Columns<Row> {
  const parameters = toParameters(columns);
  return {
    list: Object.keys(columns).join(', '),
    parameterCount: parameters.length,
    unnest: (alias, first = 1) => unnest(columns, parameters, alias, first),
    pick: (name, position, first) => pick(columns, parameters, name, position, first),
    encode: (rows) => parameters.map((parameter) => parameter.encode(rows)),
  };
}

/** Lists the columns with an array of their own, then the packs. */
function toParameters<Row>(columns: Record<string, Column<Row>>): Parameter<Row>[] {
  const own: Parameter<Row>[] = [];
  const ids: string[] = [];
  const idValues: ((row: Row) => string)[] = [];
  const numbers: string[] = [];
  const numberValues: ((row: Row) => bigint | number)[] = [];
  for (const [name, column] of Object.entries(columns)) {
    if (column.carrier === 'uuid') {
      ids.push(name);
      idValues.push(column.value);
    } else if (column.carrier === 'bigint') {
      numbers.push(name);
      numberValues.push(column.value);
    } else own.push({ type: column.type, columns: [name], isPack: false, encode: column.encode });
  }
  const packs: Parameter<Row>[] = [
    { type: 'uuid', columns: ids, isPack: true, encode: (rows) => uuidArray(rows, idValues) },
    { type: 'bigint', columns: numbers, isPack: true, encode: (rows) => bigintArray(rows, numberValues) },
  ];
  return [...own, ...packs.filter((pack) => pack.columns.length > 0)];
}

function pick<Row>(
  columns: Record<string, Column<Row>>,
  parameters: readonly Parameter<Row>[],
  name: string,
  position: string,
  first: number,
): string {
  const at = parameters.findIndex((parameter) => parameter.isPack && parameter.columns.includes(name));
  const parameter = parameters[at];
  const type = columns[name]?.type;
  invariant(parameter, `the column ${name} has a carrier`);
  const inner = parameter.columns.length === 1 ? '' : `[${parameter.columns.indexOf(name) + 1}]`;
  return `($${first + at}::${parameter.type}[])[${position}]${inner}${type === parameter.type ? '' : `::${type}`}`;
}

function unnest<Row>(
  columns: Record<string, Column<Row>>,
  parameters: readonly Parameter<Row>[],
  alias: string,
  first: number,
): string {
  const own = parameters.flatMap(({ isPack, columns }) => (isPack ? [] : columns));
  const selected = Object.keys(columns).map((name) =>
    own.includes(name) ? `nth.${name}` : `${pick(columns, parameters, name, 'nth.i', first)} AS ${name}`,
  );
  const arrays = parameters.map(({ type }, i) => `$${first + i}::${type}[]`);
  const rows =
    own.length === 0
      ? `generate_subscripts(${arrays[0]}, 1) AS nth (i)`
      : `unnest(${arrays.slice(0, own.length).join(', ')}) WITH ORDINALITY AS nth (${own.join(', ')}, i)`;
  return `(SELECT ${selected.join(', ')} FROM ${rows}) AS ${alias}`;
}
