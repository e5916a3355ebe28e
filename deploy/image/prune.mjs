// prune.mjs FOLDER: shrinks what `pnpm deploy --prod` wrote to what a running service loads: its bundle, and the packages
// that the bundle loads from node_modules, with what they need.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { IN_WORKERS, NATIVE, SERVED } from '../bundle/external.mjs';

const root = realpathSync(process.argv[2]);
const store = join(root, 'node_modules/.pnpm');
const kept = new Set();
const visited = new Set();
const before = measureSize(root);

keepOnly(root, ['package.json', 'dist', 'prisma', 'node_modules']);
keepOnly(join(root, 'prisma'), ['migrations']);
keepOnly(join(root, 'dist'), ['bundle', ...listEntries(join(root, 'dist/bundle'))]);
for (const name of neededOutsideBundle()) {
  const folder = resolve(root, name);
  if (!folder) throw new Error(`${name} is a dependency of ${root}/package.json, and is not installed there`);
  visit(folder);
}
keepOnly(store, [...kept]);
removeDeadLinks(join(root, 'node_modules'));
for (const file of walk(join(root, 'node_modules'))) if (isUnused(file)) remove(file);

console.log(`pruned ${root}: ${megabytes(before)} MB → ${megabytes(measureSize(root))} MB`);

function keepOnly(folder, names) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!names.includes(name)) remove(join(folder, name));
}

/** The dependencies of the service that its bundle does not carry. */
function neededOutsideBundle() {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [...NATIVE, ...IN_WORKERS, ...SERVED].filter((name) => Object.hasOwn(dependencies, name));
}

/** Types, source maps, documents and further builds of a page's or a thread's script; licenses of any format stay. */
function isUnused(file) {
  if (/\/gpt-tokenizer\/(cjs|data|src)\//.test(file)) return true;
  return (
    /\.(d\.[cm]?ts|([cm]?js|css)\.map|md)$|\/swagger-ui(-es-bundle(-core)?|-standalone-preset)?\.js$/.test(file) &&
    !/^(licen[cs]e|notice|copying)[^/]*\.md$/i.test(basename(file))
  );
}

/** The files of dist that load a part of the bundle have its name. */
function listEntries(bundle) {
  return readdirSync(bundle).filter((name) => name.endsWith('.js'));
}

/** Marks the store entry of a package and of everything it needs. */
function visit(folder) {
  visited.add(folder);
  const entry = storeEntry(folder);
  if (entry) kept.add(entry);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
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
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
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
  return folder.slice(store.length + 1).split('/')[0];
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
