// `toMatchObject` compares own keys, and a RegExp has none: it matches everything.
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Patterns in the argument of `toMatchObject`: written there, held in a variable, or returned by a function of the file. */
export function findVacuousMatches(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const tree = parse(file);
    const patterns = patternNames(tree);
    const functions = findBodies(tree);
    const found: Violation[] = [];
    walk(tree, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      if (node.expression.name.text !== 'toMatchObject') return;
      for (const argument of node.arguments)
        walkExpected(argument, functions, (value) => {
          const isVacuous = isPattern(value) || (ts.isIdentifier(value) && patterns.has(value.text) && isValue(value));
          if (!isVacuous) return;
          const message = `toMatchObject with ${value.getText(tree)} always passes; use expect.stringMatching`;
          found.push({ path: file.path, line: readLine(tree, value), message });
        });
    });
    return found;
  });
}

type Functions = ReadonlyMap<string, ts.Node>;

/** Visits the expected value and the body of a function that makes it, but not the arguments of calls, such as `expect.stringMatching`. */
function walkExpected(node: ts.Node, functions: Functions, visit: (node: ts.Node) => void): void {
  visit(node);
  if (!ts.isCallExpression(node)) {
    ts.forEachChild(node, (child) => walkExpected(child, functions, visit));
    return;
  }
  const made = functions.get(node.expression.getText());
  if (made) walkExpected(made, new Map(), visit);
}

/** The bodies of the functions of the file. */
function findBodies(tree: ts.SourceFile): Functions {
  const bodies = new Map<string, ts.Node>();
  walk(tree, (node) => {
    if (ts.isFunctionDeclaration(node) && node.name && node.body) bodies.set(node.name.text, node.body);
    const { initializer } = ts.isVariableDeclaration(node) ? node : {};
    if (initializer && ts.isArrowFunction(initializer))
      bodies.set((node as ts.VariableDeclaration).name.getText(), initializer.body);
  });
  return bodies;
}

function isPattern(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node)) return true;
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

/** False for the name of a property. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !ts.isPropertyAccessExpression(parent) || parent.expression === node;
}

/** Constants, parameters and loop variables of the file that are patterns. */
function patternNames(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(tree, (node) => {
    if (!ts.isVariableDeclaration(node) && !ts.isParameter(node)) return;
    const isTyped = node.type !== undefined && /\bRegExp\b/.test(node.type.getText(tree));
    const isFilled = node.initializer !== undefined && isPattern(node.initializer);
    if (ts.isIdentifier(node.name) && (isTyped || isFilled)) names.add(node.name.text);
  });
  return names;
}
