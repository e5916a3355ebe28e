import { parseFailed } from '../parse-failed.js';
import { jsonValues } from './json-file.js';
import { type CompileKind, cleanPath, type SourceTree } from './source-tree.js';

export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';
/** Of a marketplace, named in its refusal. */
const PATHS_MAX = 50;

/** @throws AppError parse_failed for the root of a marketplace, naming the plugins that can be compiled instead */
export function refuseMarketplace(files: SourceTree['files'], kind: CompileKind): void {
  const file = files.get(MARKETPLACE_FILE);
  if (!file) return;
  const paths = pathsOf(jsonValues(MARKETPLACE_FILE, file.text).plugins);
  const shown = paths.slice(0, PATHS_MAX).join(', ') + (paths.length > PATHS_MAX ? ', …' : '');
  const advice = shown === '' ? 'it lists no plugin of its own' : `compile one of its plugins: ${shown}`;
  throw parseFailed(`this is a marketplace and no ${kind}; ${advice}`);
}

/** Places in this repository; plugins of other repositories have none here. */
function pathsOf(plugins: unknown): string[] {
  if (!Array.isArray(plugins)) return [];
  return plugins.flatMap((plugin: unknown) => {
    const source = typeof plugin === 'object' && plugin !== null && 'source' in plugin ? plugin.source : undefined;
    const path = typeof source === 'string' ? cleanPath(source) : undefined;
    return path === undefined ? [] : [path];
  });
}
