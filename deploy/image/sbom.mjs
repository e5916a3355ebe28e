// sbom.mjs FOLDER: writes FOLDER/sbom.cdx.json, a CycloneDX 1.6 list of the packages that a deployed service carries: those in
// its bundle, and those in the node_modules next to it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVED } from '../bundle/external.mjs';

const root = process.argv[2];
const service = readManifest(root);
const store = join(root, 'node_modules/.pnpm');
const components = new Map();

for (const manifest of JSON.parse(readFileSync(join(root, 'dist/bundle/packages.json'), 'utf8'))) add(manifest);
for (const entry of readdirSync(store)) {
  // Of a package of files for browsers: what its build has put into them.
  for (const { name, version, identifier } of readServed(join(store, entry)))
    add({ name, version, license: identifier });

  for (const folder of packageFolders(join(store, entry, 'node_modules'))) add(readManifest(folder));
}

const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', name: service.name, version: service.version } },
  components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
};
writeFileSync(join(root, 'sbom.cdx.json'), `${JSON.stringify(document, null, 1)}\n`);
console.log(`${root}: ${components.size} packages listed in sbom.cdx.json`);

function add({ name, version, license }) {
  if (!name || !version) return;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  components.set(purl, {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(typeof license === 'string' && { licenses: [{ expression: license }] }),
  });
}

/** The packages directly in a node_modules folder, scoped ones included; links to other store entries are left out. */
function packageFolders(modules) {
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (!entry.isDirectory()) return [];
    return entry.name.startsWith('@') ? packageFolders(path) : [path];
  });
}

function readServed(entry) {
  return SERVED.flatMap((name) => {
    const file = join(entry, 'node_modules', name, 'dist/licenses.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  });
}

function readManifest(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
