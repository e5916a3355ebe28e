// The files that the rules read: what git tracks or would track, without generated code.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript-api';
import { ROOT } from './run-tool.js';

export interface SourceFile {
  /** Relative to the root of the repository. */
  path: string;
  text: string;
}

/** One violation of a rule. `line` counts from 1. */
export interface Violation {
  path: string;
  line: number;
  message: string;
}

export interface Import {
  specifier: string;
  line: number;
  /** Erased when the file is compiled. */
  isTypeOnly: boolean;
}

const GENERATED = /(^|\/)(gen|generated|dist|__fixtures__)\//;

/** All text files of the repository that match the pattern and are not generated. */
export function readSourceFiles(pattern: RegExp): SourceFile[] {
  return listPaths()
    .filter((path) => pattern.test(path) && !GENERATED.test(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

let paths: string[] | undefined;
function listPaths(): string[] {
  if (paths) return paths;
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout, status, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`);
  paths = [...new Set(stdout.split('\0').filter((path) => path !== ''))].sort();
  return paths;
}

export function isTest(path: string): boolean {
  return /\.test\.ts$|\/(testing|proof|conformance)\/|^packages\/testkit\/|^tests\//.test(path);
}

const parsed = new Map<string, { text: string; tree: ts.SourceFile }>();

export function parse({ path, text }: SourceFile): ts.SourceFile {
  const known = parsed.get(path);
  if (known?.text === text) return known.tree;
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, kind);
  parsed.set(path, { text, tree });
  return tree;
}

/** Calls `visit` for every node of the tree, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export function readLine(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Static imports and re-exports, and `import()` with a literal. */
export function readImports(file: SourceFile): Import[] {
  const tree = parse(file);
  const imports: Import[] = [];
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      imports.push({ specifier: node.moduleSpecifier.text, line: readLine(tree, node), isTypeOnly: isErased(node) });
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
      imports.push({ specifier: node.moduleSpecifier.text, line: readLine(tree, node), isTypeOnly: node.isTypeOnly });
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteral(specifier))
        imports.push({ specifier: specifier.text, line: readLine(tree, node), isTypeOnly: false });
    }
  });
  return imports;
}

function isErased(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

/**
 * The file that an import names: a relative one, or the source of a workspace package. Undefined for a dependency and
 * for a file that does not exist.
 */
export function resolveImport(from: string, specifier: string, exists: (path: string) => boolean): string | undefined {
  if (specifier.startsWith('.')) {
    const target = normalize(join(dirname(from), specifier));
    return ['.ts', '.tsx'].map((extension) => target.replace(/\.js$/, extension)).find(exists);
  }
  const name = /^@tollgate\/([^/]+)(\/.*)?$/.exec(specifier);
  if (!name) return undefined;
  const subpath = `.${name[2] ?? ''}`;
  for (const folder of [`packages/${name[1]}`, `services/${name[1]}`, `deploy/${name[1]}`]) {
    const source = sourceExport(folder, subpath);
    if (source && exists(source)) return source;
  }
  return undefined;
}

interface Manifest {
  exports?: Record<string, { source?: string }>;
}

const manifests = new Map<string, Manifest>();

function sourceExport(folder: string, subpath: string): string | undefined {
  let manifest = manifests.get(folder);
  if (!manifest) {
    const file = join(ROOT, folder, 'package.json');
    manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
    manifests.set(folder, manifest);
  }
  for (const [pattern, target] of Object.entries(manifest.exports ?? {})) {
    if (!target.source) continue;
    if (pattern === subpath) return join(folder, target.source);
    const [head, tail] = pattern.split('*');
    if (tail === undefined || !subpath.startsWith(head as string) || !subpath.endsWith(tail)) continue;
    const rest = subpath.slice((head as string).length, subpath.length - tail.length);
    return join(folder, target.source.replace('*', rest));
  }
  return undefined;
}
