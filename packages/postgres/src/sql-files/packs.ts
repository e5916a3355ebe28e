import type { PackColumn } from './read-sql-file.js';

/**
 * One array parameter of a pack. Columns of ids that are never null travel together in an array of two dimensions, and so do
 * columns of numbers: the server spends time on every parameter and on every array that it unnests.
 */
export interface PackArray {
  /** Of the elements. */
  type: 'uuid' | 'bigint' | 'text' | 'bytea' | 'bool' | 'timestamptz';
  columns: PackColumn[];
  isShared: boolean;
}

const NUMBERS = new Set(['bigint', 'int', 'smallint']);
const OWN_TYPES = ['uuid', 'bytea', 'bool', 'timestamptz'] as const;

/** Lists the arrays with one column, then the shared ones. */
export function toArrays(columns: readonly PackColumn[]): PackArray[] {
  const own: PackArray[] = [];
  const ids: PackArray = { type: 'uuid', columns: [], isShared: true };
  const numbers: PackArray = { type: 'bigint', columns: [], isShared: true };
  for (const column of columns) {
    if (column.type === 'uuid' && !column.isNullable) ids.columns.push(column);
    else if (NUMBERS.has(column.type) && !column.isNullable) numbers.columns.push(column);
    else own.push({ type: elementType(column.type), columns: [column], isShared: false });
  }
  return [...own, ...[ids, numbers].filter((array) => array.columns.length > 0)];
}

/** Other types travel as text. */
function elementType(type: string): PackArray['type'] {
  if (NUMBERS.has(type)) return 'bigint';
  return OWN_TYPES.find((own) => own === type) ?? 'text';
}

/** Returns the FROM item of a batch, without its alias: one row per encoded row. Its parameters are numbered from `first`. */
export function toFromItem(columns: readonly PackColumn[], first: number): string {
  const arrays = toArrays(columns);
  const own = arrays.flatMap((array) => (array.isShared ? [] : array.columns));
  const selected = columns.map((column) => {
    const isOwn = own.includes(column);
    const cast = castFrom(elementType(column.type), column);
    if (isOwn && cast === '') return `nth.${column.name}`;
    return `${isOwn ? `nth.${column.name}${cast}` : pickElement(columns, column.name, 'nth.i', first)} AS ${column.name}`;
  });
  const parameters = arrays.map(({ type }, i) => `$${first + i}::${type}[]`);
  const rows =
    own.length === 0
      ? `generate_subscripts(${parameters[0]}, 1) AS nth (i)`
      : `unnest(${parameters.slice(0, own.length).join(', ')}) WITH ORDINALITY AS nth (${own.map(({ name }) => name).join(', ')}, i)`;
  return `(SELECT ${selected.join(', ')} FROM ${rows})`;
}

/** Returns the value of a column in the row at an SQL position. */
export function pickElement(columns: readonly PackColumn[], name: string, position: string, first: number): string {
  const { array, number, column } = findColumn(columns, name, first);
  const inner = array.columns.length === 1 ? '' : `[${array.columns.indexOf(column) + 1}]`;
  return `($${number}::${array.type}[])[${position}]${inner}${castFrom(array.type, column)}`;
}

/** Returns the array of a column. Throws if it shares its array. */
export function pickArray(columns: readonly PackColumn[], name: string, first: number): string {
  const { array, number } = findColumn(columns, name, first);
  if (array.columns.length > 1) throw new Error(`the column ${name} shares an array; only its elements can be read`);
  return `$${number}::${array.type}[]`;
}

/** Returns the number of rows. */
export function countRows(columns: readonly PackColumn[], first: number): string {
  return `coalesce(array_length($${first}::${toArrays(columns)[0]!.type}[], 1), 0)`;
}

function findColumn(columns: readonly PackColumn[], name: string, first: number) {
  const arrays = toArrays(columns);
  const at = arrays.findIndex((array) => array.columns.some((column) => column.name === name));
  const array = arrays[at];
  const column = array?.columns.find((it) => it.name === name);
  if (!array || !column) throw new Error(`the pack has no column ${name}`);
  return { array, column, number: first + at };
}

function castFrom(element: string, { type }: PackColumn): string {
  return type === element ? '' : `::${type}`;
}
