// bundle.mjs [ENTRY …]: run by the `build` script of a package, after tsc. Bundles src/ENTRY.ts (default: main) with everything
// that it imports into dist/bundle, with source maps, a list of the packages in it and their licenses; dist/ENTRY.js loads it.
// The modules that its worker threads load are bundled beside it. external.mjs lists what stays outside.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ABSENT, IN_WORKERS, NATIVE, ON_DEMAND, UNUSED } from './external.mjs';
import { trimModules } from './trims.mjs';

const names = process.argv.length > 2 ? process.argv.slice(2) : ['main'];
const repository = fileURLToPath(new URL('../..', import.meta.url));
const dist = `${process.cwd()}/dist`;
const outdir = `${dist}/bundle`;

// CommonJS packages call `require`, which an ES module does not have.
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
].join('\n');

const options = {
  metafile: true,
  outdir,
  bundle: true,
  // A process keeps the text of its code in memory. Names stay, for stacks and profiles.
  minifyWhitespace: true,
  lineLimit: 160,
  splitting: true,
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  conditions: ['source'],
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'external',
  logLevel: 'warning',
  banner: { js: banner },
};
const external = [...NATIVE, ...ABSENT, ...UNUSED];
/** The file of each module that a thread loads, by its name in the bundle. */
const workers = {};

await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
  ...options,
  entryPoints: names.map((name) => `src/${name}.ts`),
  external,
  plugins: [keepLocations(), trimModules()],
});
refuseDynamicImports(metafile.inputs);
refuseWorkersPackages(metafile.inputs);
refuseEagerPackages(metafile.outputs);
const threads = await bundleWorkers();
await Promise.all(Object.keys({ ...metafile.outputs, ...threads.outputs }).map(shareModuleName));
const packages = await readPackages(Object.keys({ ...metafile.inputs, ...threads.inputs }));
await writeFile(`${outdir}/packages.json`, JSON.stringify(packages.map(({ licenseText, ...listed }) => listed)));
await writeFile(`${outdir}/licenses.txt`, packages.map(licenseSection).join('\n'));
for (const name of names) {
  await writeFile(`${dist}/${name}.js`, loader(name));
  await rm(`${dist}/${name}.js.map`, { force: true });
}

/** Bundles what the threads load: another thread has a copy of all code, so that they share none with the main entry. */
async function bundleWorkers() {
  if (Object.keys(workers).length === 0) return { inputs: {}, outputs: {} };
  const plugins = [keepLocations(), trimModules()];
  const { metafile } = await build({
    ...options,
    entryPoints: { ...workers },
    external: [...external, ...IN_WORKERS],
    plugins,
  });
  return metafile;
}

/** A CommonJS package that our code imports dynamically has no named exports in a bundle that is split. */
function refuseDynamicImports(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (file.includes('node_modules/')) continue;
    for (const { kind, path } of imports) {
      if (kind !== 'dynamic-import' || inputs[path]?.format !== 'cjs') continue;
      throw new Error(`${file}: import ${path} statically in a module that is imported dynamically`);
    }
  }
}

/** What only a worker thread may load would make all requests of the service wait. */
function refuseWorkersPackages(inputs) {
  const found = Object.keys(inputs).find((input) => IN_WORKERS.some((name) => input.includes(`node_modules/${name}/`)));
  if (found) throw new Error(`${found} is for worker threads; its package is listed in IN_WORKERS of external.mjs`);
}

/** A package that only some starts need would cost every start its time. */
function refuseEagerPackages(outputs) {
  for (const name of names) {
    for (const input of staticInputs(outputs, relative(process.cwd(), `${outdir}/${name}.js`))) {
      const eager = ON_DEMAND.find((listed) => input.includes(`node_modules/${listed}/`));
      if (eager) throw new Error(`${name}: ${input} is part of every start; import ${eager} dynamically`);
    }
  }
}

/** Returns the source files in an output and in those that it imports statically. */
function staticInputs(outputs, file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const { inputs, imports } = outputs[file];
  const imported = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return [...Object.keys(inputs), ...imported.flatMap(({ path }) => staticInputs(outputs, path, seen))];
}

/**
 * esbuild wraps each CommonJS module in an object of one property, which it names after the file. V8 remembers at most 1,536
 * names of first properties for all object literals of a process; beyond them every object gets a hidden class of its own,
 * which made a request cost half as much again. One name for all modules leaves room for the names of real objects.
 */
async function shareModuleName(file) {
  if (!file.endsWith('.js')) return;
  const code = await readFile(file, 'utf8');
  const shared = code.replaceAll(/(__commonJS\(\{\s*)"[^"]+"\s*\(/g, '$1commonJsModule(');
  if (/__commonJS\(\{\s*"/.test(shared)) throw new Error(`${file}: a CommonJS module is named after its file`);
  if (shared !== code) await writeFile(file, shared);
}

/**
 * Since Node 22.8 the compiled code is cached in a folder for temporary files: the second start does not compile. Stacks
 * are not mapped to the sources: Node parses the map of the whole bundle on the first stack that is read, and everything
 * else waits for half a second. NODE_OPTIONS=--enable-source-maps maps them. Node 20 has no `navigator`, without which pg
 * loads the whole of `fetch` to learn where it runs.
 */
function loader(name) {
  return [
    "import module from 'node:module';\n",
    'module.enableCompileCache?.();',
    "globalThis.navigator ??= { userAgent: 'Node.js' };",
    `await import('./bundle/${name}.js');\n`,
  ].join('\n');
}

/** Returns the name, version, license and license text of each package that these files are from. */
async function readPackages(files) {
  // Relative to the repository: a folder above it may be named like one in it.
  const ofFile = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+(?=\/)|^packages\/[^/]+(?=\/)/;
  const inRepository = (file) => relative(repository, resolve(file));
  const folders = new Set(files.flatMap((file) => ofFile.exec(inRepository(file))?.[0] ?? []));
  return Promise.all(
    [...folders].sort().map(async (relativeFolder) => {
      const folder = join(repository, relativeFolder);
      const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
      return { name, version, license, licenseText: await readLicenseText(folder) };
    }),
  );
}

/** Returns the license and notice files of a package, which its license requires every copy to carry. */
async function readLicenseText(folder) {
  const isLicense = (name) => /^(licen[cs]e|notice|copying)/i.test(name) && !/\.([cm]?[jt]s|json|map)$/.test(name);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && isLicense(entry.name)).map(({ name }) => name);
  const texts = await Promise.all(names.sort().map((name) => readFile(`${folder}/${name}`, 'utf8')));
  return texts.map((text) => text.trim()).join('\n\n');
}

function licenseSection({ name, version, license, licenseText }) {
  return `==== ${name}@${version} ====\n\n${licenseText || `License: ${license} (the package has no license file)`}\n`;
}

/**
 * Own code finds files relative to itself: in the bundle, its `import.meta.url` still names the path of the source, except for
 * the modules of threads, which are beside the bundle.
 */
function keepLocations() {
  return {
    name: 'keep-locations',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (path.includes('/node_modules/') || !source.includes('import.meta.url')) return undefined;
        const location = `new URL('${relative(outdir, path)}', import.meta.url).href`;
        const parts = source.split(/new URL\('([./a-z-]+-jobs)\.js', import\.meta\.url\)/);
        const contents = parts.map((part, i) =>
          i % 2 === 0 ? part.replaceAll('import.meta.url', location) : addWorker(resolve(dirname(path), `${part}.ts`)),
        );
        return { contents: contents.join(''), loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** Adds the module of a thread to the bundle. Returns the expression of its location. */
function addWorker(file) {
  const name = basename(file, '.ts');
  workers[name] ??= file;
  if (workers[name] !== file) throw new Error(`${file} and ${workers[name]}: give them different names`);
  return `new URL('./${name}.js', import.meta.url)`;
}
