import { type KnownTool, knownTools } from './known-tools.js';

const NAME_CHARS_MAX = 64;

/**
 * Returns function tools for the names that an agent lists: `Bash(git:*)` becomes Bash, `mcp__server__tool` is kept.
 * Ignores patterns for several tools (`*`). The arguments of tools of MCP servers and of unknown tools are not known here.
 */
export function toolDefinitions(names: readonly string[]) {
  const functions = new Map<string, string>();
  for (const name of names) {
    const bare = name.replace(/\(.*$/s, '').trim();
    const safe = bare.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARS_MAX);
    if (bare === '' || bare.includes('*') || functions.has(safe)) continue;
    functions.set(safe, bare);
  }
  return [...functions].map(([name, tool]) => {
    const known = Object.hasOwn(knownTools, tool) ? knownTools[tool] : undefined;
    return { type: 'function', function: known ? knownFunction(name, known) : unknownFunction(name, tool) };
  });
}

function knownFunction(name: string, { description, properties, required }: KnownTool) {
  return { name, description, parameters: { type: 'object', properties, required } };
}

function unknownFunction(name: string, tool: string) {
  const description = `The tool ${tool} of the program that runs the agent. Arguments as that program takes them.`;
  return { name, description, parameters: { type: 'object', properties: {} } };
}
