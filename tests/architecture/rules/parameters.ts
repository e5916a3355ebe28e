// Past four positional parameters, a reader of a call no longer knows which is which: they become an object with names.
import ts from 'typescript-api';
import { isTest, parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

const PARAMETERS_MAX = 4;

/** Functions, methods and constructors with more than four positional parameters. A function that is an argument does not choose its own. */
export function findManyParameters(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const tree = parse(file);
      const found: Violation[] = [];
      walk(tree, (node) => {
        if (!hasParameters(node) || ts.isCallExpression(node.parent)) return;
        const count = node.parameters.filter(({ name }) => name.getText(tree) !== 'this').length;
        if (count <= PARAMETERS_MAX) return;
        const message = `has ${count} parameters; past ${PARAMETERS_MAX}, take an object with names`;
        found.push({ path: file.path, line: readLine(tree, node), message });
      });
      return found;
    });
}

function hasParameters(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)
  );
}
