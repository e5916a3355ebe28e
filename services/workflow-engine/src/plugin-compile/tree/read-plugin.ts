import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { type AgentFile, type CommandFile, readAgentFile, readCommandFile } from './agent-file.js';
import { listedFiles } from './listed-files.js';
import { type CompileKind, readManifest } from './manifest.js';
import type { SourceTree, Warning } from './source-tree.js';

/** A plugin or skill as its files describe it. */
export interface Plugin {
  name: string;
  description: string;
  /** At least one; sorted by path. */
  agents: AgentFile[];
  /** Of a skill at least one; sorted by path. */
  commands: CommandFile[];
  /** Sorted by file, in the order in which they were found there. */
  warnings: Warning[];
}

/**
 * Reads a tree. `fallbackName` is taken where the manifest says none. Undefined when there is no manifest.
 *
 * @throws AppError parse_failed naming the files at fault
 */
export function readPlugin(tree: SourceTree, kind: CompileKind, fallbackName: string): Plugin | undefined {
  const warnings: Warning[] = [...tree.warnings];
  const warn = (warning: Warning): void => {
    if (warnings.length < compileLimits.warnings) warnings.push(warning);
  };
  const manifest = readManifest(tree, kind, warn);
  if (!manifest) return undefined;
  if (manifest.name === '') warn({ file: manifest.path, key: 'name', message: `is missing: ${fallbackName} is taken` });
  const agents = readAgents(listedFiles(tree, manifest, 'agents', warn), tree, manifest.path, warn);
  if (agents.length === 0) throw parseFailed(`the ${kind} has no agent: no markdown file with frontmatter in agents/`);
  const commands = listedFiles(tree, manifest, 'commands', warn)
    .slice(0, compileLimits.commands)
    .map((path) => readCommandFile(path, tree.files.get(path)!.text, warn));
  if (kind === 'skill' && commands.length === 0) {
    throw parseFailed('the skill has no command: no markdown file in commands/');
  }
  return {
    name: manifest.name || fallbackName,
    description: manifest.description,
    agents,
    commands,
    warnings: warnings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
  };
}

function readAgents(
  paths: readonly string[],
  { files }: SourceTree,
  manifestPath: string,
  warn: (warning: Warning) => void,
): AgentFile[] {
  const agents: AgentFile[] = [];
  const byName = new Map<string, string>();
  let bytes = 0;
  for (const path of paths) {
    if (path === manifestPath) continue;
    const agent = readAgentFile(path, files.get(path)!.text, warn);
    if (!agent) continue;
    const other = byName.get(agent.name);
    if (other !== undefined) throw parseFailed(`two agents are named ${agent.name}: ${other} and ${path}`);
    byName.set(agent.name, path);
    agents.push(agent);
    bytes += Buffer.byteLength(agent.systemPrompt);
  }
  if (agents.length > compileLimits.agents) throw parseFailed(`more than ${compileLimits.agents} agents`);
  if (bytes > compileLimits.agentBytes)
    throw parseFailed(`the agents have more than ${compileLimits.agentBytes} bytes`);
  return agents;
}
