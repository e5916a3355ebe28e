// A function names the parts of its service's context that it uses, so that a reader sees its reach.
import ts from 'typescript-api';
import { isTest, parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

/** Files that build the context or hand it to what they register. `http/` is the edge's: it passes the context to routes. */
const ROOTS = [
  /\/src\/(context|server)\.ts$/,
  /\/src\/grpc\/[^/]+-service\.ts$/,
  /\/src\/http\/server\/(app|endpoints)\.ts$/,
  /\/src\/http\/exchange\/(exchange|route)\.ts$/,
  /\/src\/http\/turns\/index\.ts$/,
];

/** Uses of a service's `Context` as a type that do not pick members of it, outside of the files that need all of it. */
export function findWholeContexts(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^services\//.test(path) && !isTest(path) && !ROOTS.some((root) => root.test(path)))
    .flatMap((file) => {
      const tree = parse(file);
      const names = importedNames(tree);
      const found: Violation[] = [];
      walk(tree, (node) => {
        if (!isNamed(node, names) || isPicked(node)) return;
        const message = 'uses the whole Context; pick the members that are used: Pick<Context, …>';
        found.push({ path: file.path, line: readLine(tree, node), message });
      });
      return found;
    });
}

/** The file's own names for the `Context` of its service. */
function importedNames(tree: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(tree, (node) => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return;
    if (!/^\.{1,2}\/(.*\/)?context\.js$/.test(node.moduleSpecifier.text)) return;
    const bindings = node.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) return;
    for (const { name, propertyName } of bindings.elements)
      if ((propertyName ?? name).text === 'Context') names.add(name.text);
  });
  return names;
}

function isNamed(node: ts.Node, names: ReadonlySet<string>): node is ts.TypeNode {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : undefined;
  return name !== undefined && ts.isIdentifier(name) && names.has(name.text);
}

/** True for `Pick<Context, …>` and `Context['pool']`. */
function isPicked(node: ts.TypeNode): boolean {
  const { parent } = node;
  if (ts.isIndexedAccessTypeNode(parent)) return parent.objectType === node;
  return ts.isTypeReferenceNode(parent) && parent.typeName.getText() === 'Pick' && parent.typeArguments?.[0] === node;
}
