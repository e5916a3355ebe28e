// Tests wait for conditions: a fixed sleep is too long on a fast machine and too short on a busy one, and so is an asserted time.
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Shorter pauses only yield to other work. */
const PAUSE_MS_MIN = 10;

/** Sleeps for a fixed time, and durations that are compared with a bound; not in files whose timers are fake. */
export function findFixedWaits(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    if (file.text.includes('useFakeTimers')) return [];
    const tree = parse(file);
    const found: Violation[] = [];
    walk(tree, (node) => {
      if (!ts.isCallExpression(node)) return;
      const message = isSleep(node) ? 'a fixed sleep; wait for a condition' : isAssertedTime(node) ? TIMING : undefined;
      if (message) found.push({ path: file.path, line: readLine(tree, node), message });
    });
    return found;
  });
}

const TIMING = 'an asserted duration; assert what happened, not how long it took';

/** `sleep(ms)`, or a timer that only resolves a promise. */
function isSleep({ expression, arguments: [first, second] }: ts.CallExpression): boolean {
  if (!ts.isIdentifier(expression)) return false;
  if (expression.text === 'sleep') return isLong(first);
  return expression.text === 'setTimeout' && isResolver(first) && isLong(second);
}

function isLong(ms: ts.Expression | undefined): boolean {
  if (ms === undefined) return false;
  return !ts.isNumericLiteral(ms) || Number(ms.text.replaceAll('_', '')) >= PAUSE_MS_MIN;
}

/** The parameter of a function that is passed to `new Promise`. */
function isResolver(callback: ts.Expression | undefined): boolean {
  if (callback === undefined || !ts.isIdentifier(callback)) return false;
  for (let node: ts.Node = callback; node; node = node.parent) {
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'Promise') continue;
    const [executor] = node.arguments ?? [];
    const [resolve] = executor && ts.isArrowFunction(executor) ? executor.parameters : [];
    return resolve?.name.getText() === callback.text;
  }
  return false;
}

/** `expect(performance.now() - startedAt)`, also of `Date.now()`. */
function isAssertedTime({ expression, arguments: [actual] }: ts.CallExpression): boolean {
  if (expression.getText() !== 'expect' || actual === undefined || !ts.isBinaryExpression(actual)) return false;
  return /^(performance|Date)\.now\(\)$/.test(actual.left.getText()) && ts.isIdentifier(actual.right);
}
