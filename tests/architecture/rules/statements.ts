// SQL in TypeScript is short; anything longer is in a `.sql` file, whose constants are those of the code.
import ts from 'typescript-api';
import { isTest, parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

export const STATEMENT_PARAMETERS_MAX = 4;
export const STATEMENT_LINES_MAX = 6;
/** A statement in a `.sql` file. More is decided in a function that is tested. The longest find the due work of many callers in fair shares. */
export const SQL_FILE_STATEMENT_LINES_MAX = 75;

const STATEMENT = /^\s*(--[^\n]*\n\s*)*(WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\s/;
// A literal in a `.sql` file with the name of its constant in a comment: NAME or NAME.key.
const CONSTANT = /('[^']*'|-?\d+)\s*\/\*\s*([A-Z][A-Z0-9_]*)(?:\.(\w+))?\s*\*\//g;

/** Statements in the code of services with many parameters or lines. */
export function findLongStatements(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const tree = parse(file);
      const found: Violation[] = [];
      walk(tree, (node) => {
        if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return;
        const text = node.getText(tree).slice(1, -1);
        if (!STATEMENT.test(text)) return;
        const message = describeExcess(text);
        if (message) found.push({ path: file.path, line: readLine(tree, node), message });
      });
      return found;
    });
}

function describeExcess(text: string): string | undefined {
  const parameters = new Set(text.match(/\$\d+/g)).size;
  const lines = text.trim().split('\n').length;
  if (/\$\$\{|\.unnest\(/.test(text)) return 'computes parameters; move it to a .sql file';
  if (parameters <= STATEMENT_PARAMETERS_MAX && lines <= STATEMENT_LINES_MAX) return undefined;
  return `has ${parameters} parameters and ${lines} lines; move it to a .sql file`;
}

/** Statements in `.sql` files that are too long, and constants that the code defines otherwise. */
export function findSqlFileFaults(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.endsWith('.sql'))
    .flatMap((file) => {
      const owner = file.path
        .replace(/^packages\/ledger-audit\//, 'services/billing-ledger/')
        .replace(/\/src\/.*/, '/src/');
      const code = files.filter(({ path }) => path.startsWith(owner) && path.endsWith('.ts') && !isTest(path));
      return [...findWrongConstants(file, code), ...findLongFileStatements(file)];
    });
}

function findWrongConstants(file: SourceFile, code: readonly SourceFile[]): Violation[] {
  return file.text.split('\n').flatMap((content, index) =>
    [...content.matchAll(CONSTANT)].flatMap(([, literal, name, key]) => {
      const label = key === undefined ? name! : `${name}.${key}`;
      const values = code.flatMap((source) => readConstant(source, name!, key));
      if (values.length === 1 && values[0] === literal!.replaceAll("'", '')) return [];
      const problem =
        values.length === 1 ? `is ${values[0]} in the code` : `has ${values.length} definitions in the code`;
      return [{ path: file.path, line: index + 1, message: `${label} ${problem}` }];
    }),
  );
}

/** Returns the literals that `const NAME = …` or its member has, as text. */
function readConstant(file: SourceFile, name: string, key: string | undefined): string[] {
  if (!file.text.includes(`const ${name}`)) return [];
  const tree = parse(file);
  const found: string[] = [];
  walk(tree, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText(tree) !== name || !node.initializer) return;
    const value = unwrap(node.initializer);
    const member =
      key === undefined
        ? value
        : ts.isObjectLiteralExpression(value)
          ? value.properties.filter(ts.isPropertyAssignment).find((it) => it.name.getText(tree) === key)?.initializer
          : undefined;
    if (member && (ts.isStringLiteralLike(member) || ts.isNumericLiteral(member))) found.push(member.text);
    else if (member) found.push(member.getText(tree));
  });
  return found;
}

function unwrap(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? unwrap(node.expression) : node;
}

function findLongFileStatements(file: SourceFile): Violation[] {
  let line = 1;
  return file.text.split(/^(?=-- name:)/m).flatMap((statement) => {
    const first = line;
    line += statement.split('\n').length - 1;
    const count = statement.split('\n').filter((it) => it.trim() !== '' && !/^\s*--/.test(it)).length;
    if (count <= SQL_FILE_STATEMENT_LINES_MAX) return [];
    const message = `has ${count} lines; at most ${SQL_FILE_STATEMENT_LINES_MAX}`;
    return [{ path: file.path, line: first, message }];
  });
}
