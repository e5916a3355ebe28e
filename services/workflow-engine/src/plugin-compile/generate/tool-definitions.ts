const NAME_CHARS_MAX = 64;

/**
 * Returns function tools for the names that an agent lists: `Bash(git:*)` becomes Bash, `mcp__server__tool` is kept.
 * Ignores patterns for several tools (`*`).
 */
export function toolDefinitions(names: readonly string[]) {
  const functions = new Map<string, string>();
  for (const name of names) {
    const bare = name.replace(/\(.*$/s, '').trim();
    const safe = bare.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARS_MAX);
    if (bare === '' || bare.includes('*') || functions.has(safe)) continue;
    functions.set(safe, bare);
  }
  return [...functions].map(([name, tool]) => ({
    type: 'function',
    function: {
      name,
      description: `The tool ${tool} of the program that runs the agent. Arguments as that program takes them.`,
      parameters: { type: 'object', properties: {} },
    },
  }));
}
