// Programs are files that are type-checked, linted and bundled, also those of threads: no string is run as code.
import ts from 'typescript-api';
import { parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Threads whose program is a text (`eval: true`), `eval()` and `new Function()`. */
export function findProgramsInStrings(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const tree = parse(file);
    const found: Violation[] = [];
    walk(tree, (node) => {
      if (runsText(node)) found.push({ path: file.path, line: readLine(tree, node), message: 'runs a string as code' });
    });
    return found;
  });
}

function runsText(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) {
    return node.name.getText() === 'eval' && node.initializer.kind !== ts.SyntaxKind.FalseKeyword;
  }
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Function';
  return ts.isCallExpression(node) && /^(eval|Function)$/.test(node.expression.getText());
}
