import type { AppError } from '@tollgate/errors';
import { yieldLoop } from '@tollgate/runtime';
import { compileLimits } from '../limits.js';
import { parseFailed } from '../parse-failed.js';
import { isAtRoot, isSupporting } from '../source/wanted-files.js';
import { type AgentFile, type CommandFile, readAgentFile, readCommandFile } from './agent-file.js';
import { listedFiles } from './listed-files.js';
import { readManifest, SKILL_FILE } from './manifest.js';
import { type CompileKind, joinPaths, type SourceTree, type Warning } from './source-tree.js';

/** The content of a plugin or skill. */
export interface Plugin {
  name: string;
  description: string;
  /** At least one; sorted by path. */
  agents: AgentFile[];
  /** Sorted by path. */
  commands: CommandFile[];
  /** Sorted by file; in the order of discovery within a file. */
  warnings: Warning[];
}

/**
 * Reads a tree. `fallbackName` is used when the manifest has no name. Returns undefined when there is no manifest.
 *
 * Other work runs between two files, of several trees too: a tree may have thousands.
 *
 * @throws AppError parse_failed with the names of the invalid files
 */
export async function readPlugin(
  tree: SourceTree,
  kind: CompileKind,
  fallbackName: string,
): Promise<Plugin | undefined> {
  const warnings: Warning[] = [...tree.warnings];
  const warn = (warning: Warning): void => {
    if (warnings.length < compileLimits.warnings) warnings.push(warning);
  };
  const manifest = readManifest(tree, kind, warn);
  if (!manifest) return undefined;
  if (manifest.name === '') warn({ file: manifest.path, key: 'name', message: `is missing: ${fallbackName} is used` });
  const commands: CommandFile[] = [];
  for (const path of (await listedFiles(tree, manifest, 'commands', warn)).slice(0, compileLimits.commands)) {
    commands.push(readCommandFile(path, tree.files.get(path)!.text, warn));
    await yieldLoop();
  }
  const agents = await readAgents(await listedFiles(tree, manifest, 'agents', warn), tree, manifest.path, warn);
  if (kind === 'skill' && commands.length === 0) {
    const message = 'there is no command file in commands/: the workflow applies the whole skill';
    warn({ file: manifest.path, key: 'commands', message });
    if (agents.length === 0) agents.push(...skillAgent(tree, manifest.path, manifest.name || fallbackName));
  }
  if (agents.length === 0) throw noAgent(tree, kind);
  const used = new Set([manifest, ...agents, ...commands].map(({ path }) => path));
  warnOfSupporting(tree, (path) => used.has(path) || (kind === 'plugin' && isAtRoot(path)), warn);
  return {
    name: manifest.name || fallbackName,
    description: manifest.description,
    agents,
    commands,
    warnings: warnings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
  };
}

/** Names the files that instructions may refer to, by folder (`.` is the root): they are not part of the workflow. */
function warnOfSupporting(
  { files, supporting }: SourceTree,
  isIgnored: (path: string) => boolean,
  warn: (warning: Warning) => void,
) {
  const paths = [...[...files.keys()].filter(isSupporting), ...supporting].filter((path) => !isIgnored(path));
  const folders = new Map<string, string[]>();
  for (const path of paths.sort()) {
    const folder = isAtRoot(path) ? '.' : path.slice(0, path.indexOf('/'));
    const inFolder = folders.get(folder) ?? [];
    inFolder.push(path);
    folders.set(folder, inFolder);
  }
  for (const [folder, inFolder] of folders) {
    const message = `is not part of the workflow; the program that executes its tools needs ${joinPaths(inFolder)}`;
    warn({ file: folder, key: 'files', message });
  }
}

/** Builds the refusal of a tree without agents. It names the folders of a plugin's skills, which can be compiled instead. */
function noAgent({ files }: SourceTree, kind: CompileKind): AppError {
  const ending = `/${SKILL_FILE}`;
  const skills = [...files.keys()].flatMap((path) => (path.endsWith(ending) ? [path.slice(0, -ending.length)] : []));
  const advice = kind === 'plugin' && skills.length > 0 ? `; compile one of its skills: ${joinPaths(skills)}` : '';
  return parseFailed(`the ${kind} has no agent: no markdown file with frontmatter in agents/${advice}`);
}

/** Returns a lone SKILL.md as the agent, without repeating the warnings of its reading as the manifest. */
function skillAgent({ files }: SourceTree, path: string, name: string): AgentFile[] {
  const agent = path === SKILL_FILE ? readAgentFile(path, files.get(path)!.text, () => undefined) : undefined;
  if (!agent) return [];
  if (agent.systemPrompt === '') throw parseFailed(`${path} has neither instructions nor a description`);
  if (Buffer.byteLength(agent.systemPrompt) > compileLimits.agentBytes) {
    throw parseFailed(`${path} has more than ${compileLimits.agentBytes} bytes`);
  }
  return [{ ...agent, name }];
}

async function readAgents(
  paths: readonly string[],
  { files }: SourceTree,
  manifestPath: string,
  warn: (warning: Warning) => void,
): Promise<AgentFile[]> {
  const agents: AgentFile[] = [];
  const byName = new Map<string, string>();
  let bytes = 0;
  for (const path of paths) {
    if (path === manifestPath) continue;
    const agent = readAgentFile(path, files.get(path)!.text, warn);
    await yieldLoop();
    if (!agent) continue;
    const other = byName.get(agent.name);
    if (other !== undefined) throw parseFailed(`two agents are named ${agent.name}: ${other} and ${path}`);
    byName.set(agent.name, path);
    agents.push(agent);
    if (agents.length > compileLimits.agents) throw parseFailed(`more than ${compileLimits.agents} agents`);
    bytes += Buffer.byteLength(agent.systemPrompt);
  }
  if (bytes > compileLimits.agentBytes) {
    throw parseFailed(`the agents have more than ${compileLimits.agentBytes} bytes`);
  }
  return agents;
}
