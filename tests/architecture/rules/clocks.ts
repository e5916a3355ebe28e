// Only the clock port reads clocks, and only `elapsed()` measures time: a wall clock steps.
import ts from 'typescript-api';
import { isTest, parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

const PORT = 'packages/runtime/src/time/clock.ts';
/** Packages that have no dependency on the runtime: the client has none at all, the console runs in a browser. */
const STANDALONE = /^packages\/(client|console)\//;

/** Comparisons of the wall clock with an instant that the clock of another process, or a file system, has set. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  'packages/client/src/cli/credentials-file.ts': 'the time at which a file was changed',
  'packages/client/src/tokens.ts': 'the expiry that the server has given a token',
  'packages/console/src/api/session.ts': 'the expiry that the server has given a token',
  'packages/postgres/src/embedded/abandoned-folders.ts': 'the time at which a folder was changed',
  'packages/rpc/src/call-metadata.ts': 'the deadline that grpc-js has computed by the wall clock',
  'services/billing-ledger/src/operations/subjects/load-subject.ts': 'the end of a billing window or of a calendar day',
  'services/edge-gateway/src/auth/token-authority.ts': 'the expiry in a token',
};

const READS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint']);

/** Reads of a clock outside of the port. */
export function findClockReads(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path !== PORT && !STANDALONE.test(path) && !isTest(path))
    .flatMap((file) =>
      findNodes(file, (node, tree) => {
        const isDate = ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length;
        if (isDate) return 'new Date(); use a Clock';
        const text = ts.isPropertyAccessExpression(node) ? node.getText(tree) : '';
        return READS.has(text) ? `${text}; use a Clock or elapsed()` : undefined;
      }),
    );
}

const COMPARED = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** Instants of the wall clock that the process keeps in memory, or compares with one that it has kept. */
export function findWallDurations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path !== PORT && !isTest(path) && SET_ELSEWHERE[path] === undefined)
    .flatMap((file) =>
      findNodes(file, (node, tree) => {
        if (!ts.isBinaryExpression(node)) return undefined;
        const { left, right, operatorToken } = node;
        if (operatorToken.kind === ts.SyntaxKind.EqualsToken)
          return isWall(right, tree) && /^this\./.test(left.getText(tree)) ? `keeps ${right.getText(tree)}` : undefined;
        if (!COMPARED.has(operatorToken.kind)) return undefined;
        const isFound = (isWall(left, tree) && isKept(right)) || (isWall(right, tree) && isKept(left));
        return isFound ? `measures time by the wall clock: ${node.getText(tree)}` : undefined;
      }),
    );
}

/** A reading of the wall clock in milliseconds. */
function isWall(node: ts.Expression, tree: ts.SourceFile): boolean {
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return false;
  return /(^|\.#?)nowMs$|^Date\.now$|\.now\(\)\.getTime$/.test(node.expression.getText(tree));
}

/** A variable or a member; not a constant, and not a number that a `Date` gave. */
function isKept(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return !/^[A-Z\d_]+$/.test(node.text);
  return ts.isPropertyAccessExpression(node);
}

function findNodes(file: SourceFile, judge: (node: ts.Node, tree: ts.SourceFile) => string | undefined): Violation[] {
  const tree = parse(file);
  const found: Violation[] = [];
  walk(tree, (node) => {
    const message = judge(node, tree);
    if (message !== undefined) found.push({ path: file.path, line: readLine(tree, node), message });
  });
  return found;
}
