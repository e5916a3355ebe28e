// The rules of structure that can be read from one file, and the size of folders.
import { basename, dirname } from 'node:path';
import ts from 'typescript-api';
import { isTest, parse, readImports, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

export const FOLDER_FILES_MAX = 20;
export const FILE_LINES_MAX = 300;
export const FUNCTION_LINES_MAX = 75;

/** Only `config.ts`, and a tool's `….config.ts`, reads the environment. */
export function findEnvironmentReads(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path) && !basename(path).endsWith('config.ts'))
    .flatMap((file) => findExpressions(file, (text) => text === 'process.env'));
}

const IMPURE = new Set(['Date.now', 'Math.random', 'performance.now', 'process.env', 'process.hrtime']);
const IMPURE_CALLS = new Set(['randomUUID', 'randomBytes', 'randomInt', 'setTimeout', 'setInterval']);

/** `domain` gets time, ids and randomness as arguments. */
export function findImpureDomain(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /\/src\/domain\//.test(path) && !isTest(path))
    .flatMap((file) => [...findExpressions(file, (text) => IMPURE.has(text)), ...findImpureCalls(file)]);
}

function findImpureCalls(file: SourceFile): Violation[] {
  const tree = parse(file);
  const found: Violation[] = [];
  const report = (node: ts.Node, message: string) =>
    found.push({ path: file.path, line: readLine(tree, node), message });
  walk(tree, (node) => {
    const isNow = ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length;
    if (isNow) report(node, 'new Date()');
    if (!ts.isCallExpression(node)) return;
    const name = node.expression.getText(tree).replace(/^.*\./, '');
    if (IMPURE_CALLS.has(name)) report(node, `${name}()`);
  });
  return found;
}

function findExpressions(file: SourceFile, isFound: (text: string) => boolean): Violation[] {
  const tree = parse(file);
  const found: Violation[] = [];
  walk(tree, (node) => {
    if (!ts.isPropertyAccessExpression(node)) return;
    const text = node.getText(tree);
    if (isFound(text)) found.push({ path: file.path, line: readLine(tree, node), message: text });
  });
  return found;
}

const DATABASE_MODULE = /^pg$|^@prisma\/|\/generated\//;
const SQL = /^[\s`'"]*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|LOCK|LISTEN|SET|TRUNCATE)\b/;
const STORE = /\/src\/(store|testing|proof|conformance)\//;

/** Only `store/` of a service touches the database; `context.ts` builds its pool. */
export function findDatabaseUse(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^services\//.test(path) && !isTest(path) && !STORE.test(path) && !/context\.ts$/.test(path))
    .flatMap((file) => [...findDatabaseImports(file), ...findQueries(file)]);
}

function findDatabaseImports(file: SourceFile): Violation[] {
  return readImports(file)
    .filter(({ specifier }) => DATABASE_MODULE.test(specifier))
    .map(({ specifier, line }) => ({ path: file.path, line, message: `imports ${specifier}` }));
}

function findQueries(file: SourceFile): Violation[] {
  const tree = parse(file);
  const found: Violation[] = [];
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression, name } = node.expression;
    const isSql = name.text === 'query' && SQL.test(node.arguments[0]?.getText(tree) ?? '');
    const isPrisma = /(^|\.)prisma\.\w+$/.test(expression.getText(tree)) || name.text.startsWith('$query');
    if (isSql || isPrisma)
      found.push({
        path: file.path,
        line: readLine(tree, node),
        message: `${expression.getText(tree)}.${name.text}()`,
      });
  });
  return found;
}

/** Definitions that exist once, and where. */
const SINGLE: readonly [RegExp, string][] = [
  [/\[0-9a-f\]\{8\}/, 'packages/runtime/src/ids/uuid.ts'],
  [/function canonicalJson\b/, 'packages/runtime/src/json/canonical-json.ts'],
  [/\bMICROCENTS_PER_CENT = /, 'packages/money/src/amounts.ts'],
  [/enable_hashjoin: 'off'/, 'packages/postgres/src/connection-settings.ts'],
];

/** A helper that a package exports is not written a second time; an oracle in `proof/` shares no code on purpose. */
export function findCopies(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((content, index) =>
        SINGLE.filter(([pattern, home]) => path !== home && pattern.test(content)).map(([, home]) => ({
          path,
          line: index + 1,
          message: `a copy of what ${home} has`,
        })),
      ),
    );
}

/** A folder has at most 20 source files; a larger one needs subfolders. */
export function findLargeFolders(files: readonly SourceFile[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { path } of files)
    if (!path.endsWith('.test.ts')) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([path, count]) => ({ path, line: 1, message: `${count} source files` }));
}

export function findLongFiles(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .map(({ path, text }) => ({ path, line: 1, count: text.trimEnd().split('\n').length }))
    .filter(({ count }) => count > FILE_LINES_MAX)
    .map(({ path, line, count }) => ({ path, line, message: `${count} lines` }));
}

export function findLongFunctions(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const tree = parse(file);
      const found: Violation[] = [];
      walk(tree, (node) => {
        if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return;
        const line = readLine(tree, node);
        const count = tree.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - line;
        if (count > FUNCTION_LINES_MAX) found.push({ path: file.path, line, message: `a function of ${count} lines` });
      });
      return found;
    });
}
