// bundle.mjs [ENTRY …]: run by the `build` script of a package, after tsc. Bundles src/ENTRY.ts (default: main) with everything
// that it imports into dist/bundle, with source maps, a list of the packages in it and their licenses; dist/ENTRY.js loads it.
// external.mjs lists what stays outside.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ABSENT, NATIVE } from './external.mjs';

const names = process.argv.length > 2 ? process.argv.slice(2) : ['main'];
const repository = fileURLToPath(new URL('../..', import.meta.url));
const dist = `${process.cwd()}/dist`;
const outdir = `${dist}/bundle`;

// CommonJS packages call `require`, which an ES module does not have.
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
].join('\n');

await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: names.map((name) => `src/${name}.ts`),
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  conditions: ['source'],
  external: [...NATIVE, ...ABSENT],
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'external',
  logLevel: 'warning',
  banner: { js: banner },
  plugins: [keepLocations()],
});
refuseDynamicImports(metafile.inputs);
const packages = await readPackages(Object.keys(metafile.inputs));
await writeFile(`${outdir}/packages.json`, JSON.stringify(packages.map(({ licenseText, ...listed }) => listed)));
await writeFile(`${outdir}/licenses.txt`, packages.map(licenseSection).join('\n'));
for (const name of names) {
  await writeFile(`${dist}/${name}.js`, loader(name));
  await rm(`${dist}/${name}.js.map`, { force: true });
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

/**
 * Since Node 22.8 the compiled code is cached in a folder for temporary files: the second start does not compile. Stacks
 * are not mapped to the sources: Node parses the map of the whole bundle on the first stack that is read, and everything
 * else waits for half a second. NODE_OPTIONS=--enable-source-maps maps them.
 */
function loader(name) {
  return [
    "import module from 'node:module';\n",
    'module.enableCompileCache?.();',
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

/** Own code finds files relative to itself: in the bundle, its `import.meta.url` still names the path of the source. */
function keepLocations() {
  return {
    name: 'keep-locations',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (path.includes('/node_modules/') || !source.includes('import.meta.url')) return undefined;
        const location = `new URL('${relative(outdir, path)}', import.meta.url).href`;
        return { contents: source.replaceAll('import.meta.url', location), loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}
