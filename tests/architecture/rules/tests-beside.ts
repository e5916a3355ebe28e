// Rules and use cases are found with their tests: each file of `domain/` and `operations/` has one beside it.
import ts from 'typescript-api';
import { parse, type SourceFile, type Violation } from '../source-files.js';

const TESTED = /^services\/[^/]+\/src\/(domain|operations)\/.*\.ts$/;
const ENDINGS = ['test.ts', 'db.test.ts', 'slow.test.ts'];

/** Files without a test of their name. Files that only declare types, or only export other files, need none. */
export function findUntestedFiles(files: readonly SourceFile[]): Violation[] {
  const paths = new Set(files.map(({ path }) => path));
  return files
    .filter(({ path }) => TESTED.test(path) && !/\.test\.ts$|\/testing\//.test(path))
    .filter((file) => !ENDINGS.some((ending) => paths.has(file.path.replace(/ts$/, ending))) && hasCode(file))
    .map(({ path }) => ({ path, line: 1, message: `has no test beside it: ${path.replace(/^.*\/|ts$/g, '')}test.ts` }));
}

function hasCode(file: SourceFile): boolean {
  return parse(file).statements.some(
    (node) =>
      !ts.isImportDeclaration(node) &&
      !ts.isExportDeclaration(node) &&
      !ts.isInterfaceDeclaration(node) &&
      !ts.isTypeAliasDeclaration(node),
  );
}
