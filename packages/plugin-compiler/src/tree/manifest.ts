import { readFrontmatter, warnOfFaults } from './frontmatter.js';
import { jsonValues } from './json-file.js';
import { refuseMarketplace } from './marketplace.js';
import type { CompileKind, SourceTree, Warning } from './source-tree.js';

export interface Manifest {
  path: string;
  /** Empty when the manifest has no name. */
  name: string;
  description: string;
  /** The listed paths, folders and patterns, as written. */
  agents: string[];
  commands: string[];
}

export const SKILL_FILE = 'SKILL.md';
const PLUGIN_MANIFESTS = ['.claude-plugin/plugin.json', 'plugin.json', 'PLUGIN.md', SKILL_FILE];
/** A skill may be part of a plugin, so its own manifest comes first. */
const SKILL_MANIFESTS = [SKILL_FILE, '.claude-plugin/plugin.json', 'plugin.json', 'PLUGIN.md'];

/** Files for features that a workflow does not support. The compiler warns of them. */
const NOT_COMPILED: Record<string, string> = {
  'hooks/hooks.json': 'hooks',
  '.mcp.json': 'mcpServers',
  '.lsp.json': 'lspServers',
};

/** Reads the manifest; returns undefined when there is none. @throws AppError parse_failed when it cannot be read */
export function readManifest(
  { files }: SourceTree,
  kind: CompileKind,
  warn: (warning: Warning) => void,
): Manifest | undefined {
  const path = (kind === 'skill' ? SKILL_MANIFESTS : PLUGIN_MANIFESTS).find((candidate) => files.has(candidate));
  if (path === undefined) {
    refuseMarketplace(files, kind);
    return undefined;
  }
  for (const [file, key] of Object.entries(NOT_COMPILED)) {
    if (files.has(file)) warn({ file, key, message: 'is not compiled' });
  }
  const text = files.get(path)!.text;
  const values = path.endsWith('.json') ? jsonValues(path, text) : markdownValues(path, text, warn);
  for (const key of ['hooks', 'mcpServers', 'lspServers']) {
    if (values[key] !== undefined) warn({ file: path, key, message: 'is not compiled' });
  }
  return {
    path,
    name: toText(values.name),
    description: toText(values.description),
    agents: readPaths(path, 'agents', values.agents, warn),
    commands: readPaths(path, 'commands', values.commands, warn),
  };
}

function markdownValues(path: string, text: string, warn: (warning: Warning) => void): Record<string, unknown> {
  const frontmatter = readFrontmatter(text);
  if (frontmatter) warnOfFaults(path, frontmatter, warn);
  return frontmatter?.values ?? {};
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Reads one path or a list of paths. */
function readPaths(file: string, key: string, value: unknown, warn: (warning: Warning) => void): string[] {
  if (value === undefined || value === null) return [];
  const paths = Array.isArray(value) ? value : [value];
  const texts = paths.filter((path): path is string => typeof path === 'string' && path.trim() !== '');
  if (texts.length < paths.length) warn({ file, key, message: 'contains a value that is not a path: ignored' });
  return texts.map((path) => path.trim());
}
