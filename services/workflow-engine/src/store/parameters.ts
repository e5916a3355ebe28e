import { binaryArray, type ElementType } from '@tollgate/postgres/columns';

/** The columns of a list of rows: for each name its SQL type and the value that a row has for it. */
export type Columns<Row> = Record<string, readonly [type: ElementType, value: (row: Row) => unknown]>;

/**
 * The parameters of one prepared statement, numbered in the order of their declaration. A declaration returns its
 * SQL, so the text of the statement contains no numbers.
 */
export class Parameters<Input> {
  readonly #readers: ((input: Input) => unknown[])[] = [];
  #count = 0;

  /** Declares one value. */
  value(type: string, read: (input: Input) => unknown): string {
    this.#readers.push((input) => [read(input)]);
    return `${this.#next()}::${type}`;
  }

  /** Declares an array. The SQL can be subscripted. An element of a type of fixed length is found without reading the others. */
  list(type: ElementType, read: (input: Input) => readonly unknown[]): string {
    this.#readers.push((input) => [binaryArray(type, read(input))]);
    return `(${this.#next()}::${type}[])`;
  }

  /**
   * Declares a list of rows, one array per column. The SQL is an item of a FROM clause with the columns by their names,
   * and `position`, which counts the rows from 1.
   */
  rows<Row>(alias: string, read: (input: Input) => readonly Row[], columns: Columns<Row>): string {
    const cells = Object.values(columns);
    this.#readers.push((input) => {
      const rows = read(input);
      return cells.map(([type, value]) => binaryArray(type, rows.map(value)));
    });
    const arrays = cells.map(([type]) => `${this.#next()}::${type}[]`);
    return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS ${alias}(${Object.keys(columns).join(', ')}, position)`;
  }

  /** Returns the values in the order of the declarations. */
  values(input: Input): unknown[] {
    return this.#readers.flatMap((read) => read(input));
  }

  #next(): string {
    this.#count += 1;
    return `$${this.#count}`;
  }
}
