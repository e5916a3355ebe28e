import { countRows, pickArray, pickElement, toArrays, toFromItem } from './packs.js';
import { type PackColumn, type SqlStatement, splitTokens } from './read-sql-file.js';

/** A named parameter, in the order in which the server gets them. A pack is sent as several arrays. */
export type Parameter =
  | { name: string; kind: 'value'; isNullable: boolean; number: number }
  | { name: string; kind: 'pack'; columns: readonly PackColumn[]; number: number };

export interface BoundStatement {
  /** With `$1`, `$2`, … in place of names. */
  text: string;
  parameters: Parameter[];
}

const PARAMETER = /^:([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?(\?)?/;
/** `::type` is a cast and `a[low:high]` a slice. */
const NO_PARAMETER_AFTER = /[:\w\])]$/;

/**
 * Numbers the parameters of a statement in the order in which they appear:
 *
 * - `:name` is a value, `:name?` a value that may be null;
 * - `:pack AS t` in FROM is a batch of rows, `:pack.length` their number, `:pack.column[i]` a column of the row `i`, and
 *   `:pack.column` the array of a column that has an array of its own.
 *
 * @throws Error that names the statement and the parameter
 */
export function bindParameters(statement: SqlStatement): BoundStatement {
  const binder = new Binder(statement);
  const text = binder.bind(statement.text);
  for (const name of statement.packs.keys())
    if (!binder.parameters.some((parameter) => parameter.name === name)) binder.fail(`the pack ${name} is not used`);
  return { text, parameters: binder.parameters };
}

class Binder {
  readonly parameters: Parameter[] = [];
  #count = 0;
  readonly #statement: SqlStatement;

  constructor(statement: SqlStatement) {
    this.#statement = statement;
  }

  bind(text: string): string {
    let out = '';
    let rest = text;
    while (rest !== '') {
      const found = NO_PARAMETER_AFTER.test(out) ? null : PARAMETER.exec(rest);
      if (found) {
        const [all, name, column, mark] = found as unknown as [string, string, string?, string?];
        rest = rest.slice(all.length);
        const columns = this.#statement.packs.get(name);
        if (!columns && column) this.fail(`:${name} is not a pack and has no column ${column}`);
        if (!columns) {
          out += this.#bindValue(name, mark !== undefined);
          continue;
        }
        const index = column && rest.startsWith('[') ? this.#readIndex(rest) : undefined;
        if (index !== undefined) rest = rest.slice(index.length + 2);
        out += this.#bindPack(name, columns, column, index);
      } else {
        const [token] = splitTokens(rest) as [string];
        out += token;
        rest = rest.slice(token.length);
      }
    }
    return out;
  }

  #bindValue(name: string, isNullable: boolean): string {
    const known = this.parameters.find((parameter) => parameter.name === name);
    if (!known) {
      this.#count += 1;
      this.parameters.push({ name, kind: 'value', isNullable, number: this.#count });
      return `$${this.#count}`;
    }
    if (known.kind === 'value' && known.isNullable !== isNullable)
      this.fail(`:${name} is written with and without "?"`);
    return `$${known.number}`;
  }

  #bindPack(name: string, columns: readonly PackColumn[], column: string | undefined, index: string | undefined) {
    const first = this.#numberPack(name, columns);
    try {
      if (column === undefined) return toFromItem(columns, first);
      if (column === 'length') return countRows(columns, first);
      return index === undefined
        ? pickArray(columns, column, first)
        : pickElement(columns, column, this.bind(index), first);
    } catch (error) {
      return this.fail(`:${name}: ${(error as Error).message}`);
    }
  }

  #numberPack(name: string, columns: readonly PackColumn[]): number {
    const known = this.parameters.find((parameter) => parameter.name === name);
    if (known) return known.number;
    const number = this.#count + 1;
    this.#count += toArrays(columns).length;
    this.parameters.push({ name, kind: 'pack', columns, number });
    return number;
  }

  #readIndex(text: string): string {
    let depth = 0;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === '[') depth += 1;
      if (text[at] === ']') depth -= 1;
      if (depth === 0) return text.slice(1, at);
    }
    return this.fail('a bracket is not closed');
  }

  fail(problem: string): never {
    throw new Error(`${this.#statement.name}: ${problem}`);
  }
}
