import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { markdown } from '@tollgate/testkit';
import { compileLimits } from '../limits.js';
import { filesTree } from '../source/files-tree.js';
import { readFrontmatter } from './frontmatter.js';
import { readPlugin } from './read-plugin.js';

let turns = 0;
let turning: NodeJS.Immediate;

beforeEach(() => {
  turns = 0;
  const turn = (): void => {
    turns += 1;
    turning = setImmediate(turn);
  };
  turning = setImmediate(turn);
});
afterEach(() => clearImmediate(turning));

const agents = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `agents/agent-${i}.md`,
      markdown(`name: agent-${i}\ndescription: Does part ${i}`, 'Do it.'),
    ]),
  );

const buildTree = (files: Record<string, string>, manifest: object = {}) =>
  filesTree({ 'plugin.json': JSON.stringify({ name: 'large', ...manifest }), ...files });

describe('a large tree', () => {
  it('reads its files in many turns of the event loop', async () => {
    const plugin = await readPlugin(buildTree(agents(150)), 'plugin', 'fallback');
    expect(plugin?.agents).toHaveLength(150);
    expect(turns).toBeGreaterThanOrEqual(150);
  });

  it('shares no turn of the event loop with another tree', async () => {
    await Promise.all([1, 2, 3].map(() => readPlugin(buildTree(agents(50)), 'plugin', 'fallback')));
    expect(turns).toBeGreaterThanOrEqual(150);
  });

  it('finds the files that its manifest lists in many turns of the event loop', async () => {
    const listed = Array.from({ length: 100 }, (_, i) => `agents/agent-${i % 50}*`);
    const plugin = await readPlugin(buildTree(agents(50), { agents: listed }), 'plugin', 'fallback');
    expect(plugin?.agents).toHaveLength(50);
    expect(turns).toBeGreaterThanOrEqual(150);
  });

  it('rejects a manifest that lists too many paths', async () => {
    const listed = Array.from({ length: compileLimits.listedPaths + 1 }, () => 'agents');
    const reading = readPlugin(buildTree(agents(1), { agents: listed }), 'plugin', 'fallback');
    await expect(reading).rejects.toMatchObject({ code: 'parse_failed' });
  });

  it('stops at the first agent over the limit', async () => {
    const tree = buildTree({ ...agents(compileLimits.agents + 1), 'agents/z.md': '---\nname: [\n---\n' });
    await expect(readPlugin(tree, 'plugin', 'fallback')).rejects.toThrow(`more than ${compileLimits.agents} agents`);
  });
});

describe('a large frontmatter', () => {
  const keys = Array.from({ length: 1_000 }, (_, i) => `k${i}: ${i}`);

  it('reports each unknown key with its line', () => {
    const read = readFrontmatter(`---\nname: a\n${keys.join('\n')}\n---\nBody`);
    expect(read?.faults).toHaveLength(keys.length);
    expect(read?.faults.map(({ line }) => line)).toEqual(keys.map((_, i) => i + 3));
  });

  it('finds a repeated key at any level', () => {
    const read = readFrontmatter(`---\n${keys.join('\n')}\nname: a\nmetadata:\n  b: 1\n  b: 2\n---\nBody`);
    expect(read?.faults).toContainEqual({ key: 'metadata', line: 1_003, message: expect.stringMatching(/not valid/) });
  });
});
