import { parseFailed } from '../parse-failed.js';
import { jsonValues } from './json-file.js';
import { type CompileKind, cleanPath, joinPaths, type SourceTree } from './source-tree.js';

export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';
/** @throws AppError parse_failed for the root of a marketplace, with the plugins that can be compiled instead */
export function refuseMarketplace(files: SourceTree['files'], kind: CompileKind): void {
  const file = files.get(MARKETPLACE_FILE);
  if (!file) return;
  const paths = pluginPaths(jsonValues(MARKETPLACE_FILE, file.text).plugins);
  const advice =
    paths.length === 0 ? 'it lists no plugin in this repository' : `compile one of its plugins: ${joinPaths(paths)}`;
  throw parseFailed(`this is a marketplace, not a ${kind}; ${advice}`);
}

/** Returns the paths in this repository; plugins in other repositories have none. */
function pluginPaths(plugins: unknown): string[] {
  if (!Array.isArray(plugins)) return [];
  return plugins.flatMap((plugin: unknown) => {
    const source = typeof plugin === 'object' && plugin !== null && 'source' in plugin ? plugin.source : undefined;
    const path = typeof source === 'string' ? cleanPath(source) : undefined;
    return path === undefined ? [] : [path];
  });
}
