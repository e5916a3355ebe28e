// Rules about the graph of imports.
import { dirname } from 'node:path';
import { readImports, resolveImport, type SourceFile, type Violation } from '../source-files.js';

type Graph = Map<string, string[]>;

/** Files that import each other in a circle, type-only imports included. One violation per circle. */
export function findCircles(files: readonly SourceFile[]): Violation[] {
  return findComponents(importGraph(files, true))
    .filter((circle) => circle.length > 1)
    .map((circle) => ({ path: commonFolder(circle), line: 1, message: `circle of ${circle.sort().join(', ')}` }));
}

const GENERATED = /(^|\/)generated\//;
const TEST_DATABASE = /^packages\/postgres\/src\/(test-database|embedded\/)/;

/** Unit tests (neither `*.db.test.ts` nor `*.slow.test.ts`) that load generated code, or use a test database themselves. */
export function findUnitTestsWithDatabase(files: readonly SourceFile[]): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const graph = importGraph(files, false);
  const isUnit = (path: string) =>
    /^(packages|services)\/.*\.test\.ts$/.test(path) && !/\.(db|slow)\.test\.ts$/.test(path);
  return files
    .filter(({ path }) => isUnit(path))
    .flatMap(({ path, text }) => {
      if (/\b(testDatabase|emptyDatabase)\b/.test(text))
        return [{ path, line: 1, message: 'uses a database; name it *.db.test.ts' }];
      const generated = [...reachableFrom(path, graph)].find((each) => loadsGenerated(byPath.get(each)));
      const message = `loads generated code through ${generated}; name it *.db.test.ts`;
      return generated ? [{ path, line: 1, message }] : [];
    });
}

function loadsGenerated(file: SourceFile | undefined): boolean {
  if (!file) return false;
  if (TEST_DATABASE.test(file.path)) return false;
  return readImports(file).some(({ specifier, isTypeOnly }) => !isTypeOnly && GENERATED.test(specifier));
}

function importGraph(files: readonly SourceFile[], withTypes: boolean): Graph {
  const paths = new Set(files.map(({ path }) => path));
  const exists = (path: string) => paths.has(path);
  return new Map(
    files.map((file) => {
      const targets = readImports(file)
        .filter(({ isTypeOnly }) => withTypes || !isTypeOnly)
        .map(({ specifier }) => resolveImport(file.path, specifier, exists))
        .filter((target) => target !== undefined);
      return [file.path, [...new Set(targets)]];
    }),
  );
}

function reachableFrom(start: string, graph: Graph): Set<string> {
  const seen = new Set([start]);
  for (const path of seen) for (const target of graph.get(path) ?? []) seen.add(target);
  return seen;
}

/** Strongly connected components (Tarjan), without recursion: the graph is deep. */
function findComponents(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const components: string[][] = [];
  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const work: { node: string; next: number }[] = [{ node: root, next: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1] as { node: string; next: number };
      const { node } = frame;
      if (frame.next === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) as number);
        stack.push(node);
        onStack.add(node);
      }
      const target = (graph.get(node) ?? [])[frame.next++];
      if (target !== undefined) {
        if (!index.has(target)) work.push({ node: target, next: 0 });
        else if (onStack.has(target)) lower(low, node, index.get(target) as number);
        continue;
      }
      work.pop();
      const parent = work[work.length - 1];
      if (parent) lower(low, parent.node, low.get(node) as number);
      if (low.get(node) === index.get(node)) components.push(takeComponent(stack, onStack, node));
    }
  }
  return components;
}

function lower(low: Map<string, number>, node: string, value: number): void {
  low.set(node, Math.min(low.get(node) as number, value));
}

function takeComponent(stack: string[], onStack: Set<string>, root: string): string[] {
  const component = stack.splice(stack.lastIndexOf(root));
  for (const node of component) onStack.delete(node);
  return component;
}

function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0] as string);
  while (!paths.every((path) => path.startsWith(`${folder}/`))) folder = dirname(folder);
  return folder;
}
