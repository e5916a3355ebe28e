// Builds what npm publishes: the library as ES modules and as CommonJS, each with types, and the command line in one file.
// Only the command line may use packages and Node's modules: the library's bundle fails when it finds one.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const require = createRequire(import.meta.url);

rmSync(at('dist'), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', at('tsconfig.json')], {
  stdio: 'inherit',
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);
for (const tool of ['cli', 'generate']) rmSync(at(`dist/esm/${tool}`), { recursive: true });
cpSync(at('dist/esm'), at('dist/cjs'), { recursive: true });
writeFileSync(at('dist/cjs/package.json'), '{ "type": "commonjs" }\n');

const library = {
  absWorkingDir: at('.'),
  entryPoints: ['src/index.ts'],
  bundle: true,
  platform: 'neutral',
  target: ['es2022', 'node18'],
  logLevel: 'warning',
};
// The hooks use types of the client only, so that there is one copy of its classes. Server components need the directive.
const hooks = { ...library, entryPoints: ['src/react/index.ts'], external: ['react'], banner: { js: "'use client';" } };
for (const format of ['esm', 'cjs']) {
  await build({ ...library, format, outfile: `dist/${format}/index.js` });
  await build({ ...hooks, format, outfile: `dist/${format}/react/index.js` });
}
await build({
  absWorkingDir: at('.'),
  entryPoints: ['src/cli/main.ts'],
  bundle: true,
  conditions: ['source'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  define: { TOLLGATE_VERSION: JSON.stringify(require('../package.json').version) },
  banner: {
    // Commander is CommonJS and requires Node's modules.
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  outfile: 'dist/cli/main.js',
  logLevel: 'warning',
});

// The bundles carry these packages.
const licenses = ['eventsource-parser', 'commander'].map(
  (name) => `${name}\n\n${readFileSync(at(`node_modules/${name}/LICENSE`), 'utf8')}`,
);
writeFileSync(at('dist/licenses.txt'), licenses.join('\n'));
