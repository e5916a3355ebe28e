import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from './run-tool.js';

export const CLIENT_PACKAGE = fileURLToPath(new URL('../../packages/client/', import.meta.url));

/** Packs @tollgate/client and installs it in the folder, without a registry: a dependency would fail the installation. */
export async function installClient(folder: string): Promise<void> {
  const env = { npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false' };
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(await runTool('npm', args, { cwd: CLIENT_PACKAGE, env }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runTool('npm', ['install', ...quiet, join(folder, filename)], { cwd: folder, env });
}
