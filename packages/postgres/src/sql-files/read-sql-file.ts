// Reads `.sql` files with named statements. Runs when code is generated, never in a service.

/** The result of a statement, as in sqlc: all rows, the first row or undefined, the number of rows, nothing. */
export type Result = 'many' | 'one' | 'execrows' | 'exec';

/** One column of a batch of rows that is passed as arrays. */
export interface PackColumn {
  name: string;
  /** As PostgreSQL writes it; `bigint[]` for a list in each row. */
  type: string;
  isNullable: boolean;
}

/** A type of the service. */
export interface NamedType {
  name: string;
  /** The module, relative to `src` of the service and without an extension. */
  module: string;
}

export interface SqlStatement {
  /** In snake_case; the name of the prepared statement. */
  name: string;
  result: Result;
  /** Lines of the comment between the name and the statement, without directives. */
  comment: string[];
  /** Batches of rows by parameter name. */
  packs: Map<string, PackColumn[]>;
  /** Types of columns that are narrower than those of the database. */
  types: Map<string, NamedType>;
  /** Plans differ with the values, so the statement is planned at each call. */
  isUnprepared: boolean;
  /** The statement with its named parameters, without comments. */
  text: string;
}

const NAME = /^--\s*name:\s*([a-z][a-z0-9_]*)\s+:(many|one|execrows|exec)\s*$/;
const PACK = /^--\s*pack\s+([a-z][a-z0-9_]*):\s*(.+)$/;
const TYPE = /^--\s*type\s+(\w+):\s*(\w+)\s+from\s+([\w./-]+?)(?:\.[jt]s)?\s*$/;
const UNPREPARED = /^--\s*unprepared:\s*\S/;
const COLUMN = /^([a-z][a-z0-9_]*)\s+([a-z][a-z0-9]*(?:\[\])?)(\?)?$/;

/**
 * Splits a file at its lines `-- name: …`.
 *
 * @throws Error that names the statement and says what is wrong with it
 */
export function readSqlFile(file: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let body: string[] = [];
  const end = () => {
    const last = statements.at(-1);
    if (last) last.text = trimStatement(last.name, body);
    else if (stripComments(body.join('\n')).trim() !== '')
      throw new Error('the file begins without a line "-- name: …"');
    body = [];
  };
  for (const line of file.split('\n')) {
    const name = NAME.exec(line);
    if (name) {
      end();
      statements.push(startStatement(name[1]!, name[2] as Result));
      continue;
    }
    if (/^--\s*name:/.test(line)) throw new Error(`"${line}" must be "-- name: snake_case :many|:one|:execrows|:exec"`);
    const current = statements.at(-1);
    if (current && line.startsWith('--') && body.every((it) => it.trim() === '')) readHeader(current, line);
    else body.push(line);
  }
  end();
  return statements;
}

function startStatement(name: string, result: Result): SqlStatement {
  return { name, result, comment: [], packs: new Map(), types: new Map(), isUnprepared: false, text: '' };
}

function readHeader(statement: SqlStatement, line: string): void {
  const pack = PACK.exec(line);
  const type = TYPE.exec(line);
  if (type) statement.types.set(type[1]!, { name: type[2]!, module: type[3]! });
  else if (pack) {
    const columns = statement.packs.get(pack[1]!) ?? [];
    statement.packs.set(pack[1]!, [
      ...columns,
      ...pack[2]!.split(',').map((column) => toColumn(statement.name, column)),
    ]);
  } else if (UNPREPARED.test(line)) {
    statement.isUnprepared = true;
    statement.comment.push(
      line.replace(/^--\s*unprepared:\s*(.)/, (_, first: string) => `Is planned at each call: ${first}`),
    );
  } else statement.comment.push(line.replace(/^--\s?/, ''));
}

function toColumn(statement: string, text: string): PackColumn {
  const parts = COLUMN.exec(text.trim());
  if (!parts)
    throw new Error(`${statement}: the column "${text.trim()}" of a pack must be "name type" or "name type?"`);
  return { name: parts[1]!, type: parts[2]!, isNullable: parts[3] === '?' };
}

function trimStatement(name: string, lines: readonly string[]): string {
  const text = stripComments(lines.join('\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/\s*;$/, '');
  if (text === '') throw new Error(`${name} has no statement`);
  if (splitTokens(text).some((token) => token === ';')) throw new Error(`${name} has more than one statement`);
  return text;
}

const TOKENS = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** Returns the parts of a text: literals, quoted names and comments as a whole, everything else by character. */
export function splitTokens(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

function stripComments(text: string): string {
  const kept: string[] = [];
  for (const token of splitTokens(text)) {
    const isComment = token.startsWith('--') || (token.startsWith('/*') && token.length > 1);
    if (!isComment) kept.push(token);
    else if (kept.at(-1) === ' ') kept.pop();
  }
  return kept.join('');
}
