import { describe, expect, it } from '@jest/globals';
import { packArchive, packBomb, pluginTrees, type Tree, toCommitId } from '@tollgate/testkit';
import { archiveTree } from '../source/archive-tree.js';
import { filesTree } from '../source/files-tree.js';
import { type Plugin, readPlugin } from './read-plugin.js';
import type { CompileKind } from './source-tree.js';

async function read(tree: Tree, kind: CompileKind = 'plugin', root = ''): Promise<Plugin | undefined> {
  const unpacked = await archiveTree(await packArchive('repo', toCommitId(tree), tree), root);
  return unpacked && readPlugin(unpacked, kind, 'fallback');
}

const listNames = (plugin: Plugin | undefined) => plugin?.agents.map(({ name }) => name);
const warnedKeys = (plugin: Plugin | undefined) => plugin?.warnings.map(({ file, key }) => `${file}: ${key}`);

describe('a valid tree', () => {
  it('returns agents with their tools, and commands, without warnings', async () => {
    const plugin = await read(pluginTrees.clean);
    expect(plugin).toMatchObject({ name: 'feature-work', description: 'Agents for work on features', warnings: [] });
    expect(plugin?.agents).toEqual([
      {
        path: 'agents/code-explorer.md',
        name: 'code-explorer',
        description: 'Traces how a feature works',
        tools: ['Glob', 'Grep', 'Read'],
        systemPrompt: 'You trace execution paths from entry points to storage.',
      },
      expect.objectContaining({ name: 'code-reviewer', tools: ['Read'] }),
    ]);
    expect(plugin?.commands).toEqual([
      expect.objectContaining({ name: 'feature', description: 'Guided work on a feature' }),
    ]);
  });

  it('returns every agent with invalid YAML, and warns of the key', async () => {
    const plugin = await read(pluginTrees.brokenYaml);
    expect(listNames(plugin)).toEqual(['comment-analyzer', 'test-analyzer', 'quoter']);
    expect(warnedKeys(plugin)).toEqual([
      'agents/colon.md: description',
      'agents/dialogue.md: description',
      'agents/quotes.md: description',
    ]);
    expect(plugin?.warnings[0]).toMatchObject({ line: 3 });
    const [colon, dialogue] = plugin!.agents;
    expect(colon?.description).toBe(
      'Use this agent when comments are to be checked. Examples: user: "check them" assistant: "I will"\\n\\nmore',
    );
    expect(dialogue?.description).toContain('user: "Are they enough?"\nassistant: "I ask: the analyzer."\n</example>');
    expect(dialogue?.tools).toEqual(['Read', 'Grep']);
  });

  it('returns listed and default agents once, without those of skills', async () => {
    const plugin = await read(pluginTrees.manifestListed);
    expect(listNames(plugin)).toEqual(['in-the-default-folder', 'api-designer', 'frontend', 'one', 'two']);
    expect(plugin?.warnings).toEqual([
      { file: '.claude-plugin/plugin.json', key: 'agents', message: 'lists ./nowhere.md, which does not exist' },
    ]);
  });

  it('returns many agents in the order of their paths', async () => {
    const names = Array.from({ length: 51 }, (_, i) => `agent-${i}`);
    expect(listNames(await read(pluginTrees.large))).toEqual(names);
  });

  it('follows links inside the plugin once per file, and warns of broken ones', async () => {
    const plugin = await read(pluginTrees.symlinked);
    expect(listNames(plugin)).toEqual(['writer', 'editor']);
    expect(warnedKeys(plugin)).toEqual(['agents/circle.md: link', 'agents/lost.md: link']);
  });

  it('reads every spelling of tools', async () => {
    const plugin = await read(pluginTrees.toolsLists);
    expect(Object.fromEntries(plugin!.agents.map(({ name, tools }) => [name, tools]))).toEqual({
      comma: ['Read', 'Bash(git add:*)', 'Agent(a, b)'],
      flow: ['Read', 'Grep'],
      list: ['Read', 'mcp__github__search'],
      blanks: ['Read', 'Grep'],
      none: undefined,
      empty: [],
      odd: [],
      star: ['mcp__github__*'],
    });
    expect(warnedKeys(plugin)).toEqual(['agents/odd.md: tools']);
  });

  it('uses file names for missing names, and warns of everything it ignores', async () => {
    const plugin = await read(pluginTrees.oldSchema);
    expect(listNames(plugin)).toEqual(['data-analyst', '123']);
    expect(warnedKeys(plugin)).toEqual([
      '.mcp.json: mcpServers',
      'agents/README.md: frontmatter',
      'agents/data-analyst.md: name',
      'agents/yes.md: name',
      'hooks/hooks.json: hooks',
      'plugin.json: hooks',
    ]);
  });

  it('reads a skill, even in a folder of a repository', async () => {
    const inFolder = Object.fromEntries(Object.entries(pluginTrees.skill).map(([path, text]) => [`a/b/${path}`, text]));
    for (const plugin of [await read(pluginTrees.skill, 'skill'), await read(inFolder, 'skill', 'a/b')]) {
      expect(plugin).toMatchObject({ name: 'report-writing', description: 'Writes reports' });
      expect(listNames(plugin)).toEqual(['author', 'researcher']);
    }
  });
});

describe('a skill without a command file', () => {
  it('becomes one agent when it consists only of SKILL.md', async () => {
    const skill = '---\nname: haiku\ndescription: Writes haiku\nallowed-tools: Read, Grep\n---\nWrite a haiku.';
    const plugin = await read({ 'SKILL.md': skill, 'references/seasons.md': 'Spring.' }, 'skill');
    expect(plugin).toMatchObject({ name: 'haiku', commands: [] });
    expect(plugin?.agents).toEqual([
      {
        path: 'SKILL.md',
        name: 'haiku',
        description: 'Writes haiku',
        tools: ['Read', 'Grep'],
        systemPrompt: 'Write a haiku.',
      },
    ]);
    expect(warnedKeys(plugin)).toEqual(['SKILL.md: commands', 'references: files']);
  });

  it('warns of files that its instructions may refer to, from archives and from uploads', async () => {
    const skill = '---\nname: haiku\ndescription: d\n---\nRun scripts/count.py.';
    const tree = { 'SKILL.md': skill, 'scripts/count.py': 'print(5)', 'scripts/a.sh': 'ls', 'README.md': 'Text' };
    for (const plugin of [await read(tree, 'skill'), await readPlugin(filesTree(tree), 'skill', 'fallback')]) {
      expect(plugin?.warnings).toContainEqual({
        file: 'scripts',
        key: 'files',
        message: expect.stringContaining('needs scripts/a.sh, scripts/count.py'),
      });
    }
  });

  it('warns of files at its root, but not of those for people who install it', async () => {
    const skill = '---\nname: pdf\ndescription: d\n---\nFill forms as forms.md says; see reference.md.';
    const own = { 'SKILL.md': skill, 'forms.md': 'Use fill.py.', 'reference.md': 'Text', 'fill.py': 'print(5)' };
    const others = { 'README.md': 'Text', 'LICENSE.txt': 'MIT', '.gitignore': 'x', 'plugin.json': '{}' };
    const tree = { ...own, ...others };
    for (const plugin of [await read(tree, 'skill'), await readPlugin(filesTree(tree), 'skill', 'fallback')]) {
      expect(plugin?.warnings.filter(({ key }) => key === 'files')).toEqual([
        { file: '.', key: 'files', message: expect.stringMatching(/ needs fill\.py, forms\.md, reference\.md$/) },
      ]);
    }
    const asPlugin = await read({ ...tree, 'agents/a.md': '---\nname: a\n---\nb' }, 'plugin');
    expect(asPlugin?.warnings.filter(({ key }) => key === 'files')).toEqual([]);
  });

  it('takes its name from its folder when SKILL.md has no name', async () => {
    const plugin = await read({ 'SKILL.md': '---\ndescription: d\n---\nWrite.' }, 'skill');
    expect([plugin?.name, ...(listNames(plugin) ?? [])]).toEqual(['fallback', 'fallback']);
  });

  it('keeps its own agents', async () => {
    const { 'commands/report.md': _command, ...tree } = pluginTrees.skill;
    const plugin = await read(tree, 'skill');
    expect(listNames(plugin)).toEqual(['author', 'researcher']);
    expect(warnedKeys(plugin)).toEqual(['SKILL.md: commands']);
  });

  it.each([
    ['without frontmatter', 'Write a haiku.', /no agent/],
    ['that is empty', '---\nname: a\n---\n', /neither instructions nor a description/],
  ])('rejects a SKILL.md %s', async (_, text, message) => {
    await expect(read({ 'SKILL.md': text }, 'skill')).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringMatching(message),
    });
  });
});

describe('an invalid tree', () => {
  it.each<[keyof typeof pluginTrees, RegExp, CompileKind]>([
    ['commandOnly', /no agent/, 'plugin'],
    ['skillsOnly', /no agent.*compile one of its skills: skills\/writing$/, 'plugin'],
    ['huge', /more than 1048576 bytes/, 'plugin'],
    ['escapingLink', /link agents\/passwd\.md leads outside/, 'plugin'],
    ['absoluteLink', /link agents\/passwd\.md leads outside/, 'plugin'],
    ['duplicateNames', /code-explorer: agents\/first\.md and agents\/second\.md/, 'plugin'],
    ['badPaths', /\.claude-plugin\/plugin\.json: agents lists \.\.\/other\/agent\.md/, 'plugin'],
    ['hostileArchive', /leads outside it/, 'plugin'],
    ['brokenManifest', /plugin\.json is not valid JSON/, 'plugin'],
  ])('rejects the tree %s with a message like %s', async (name, message, kind) => {
    await expect(read(pluginTrees[name], kind)).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, Tree, CompileKind]>([
    ['an agent', { ...pluginTrees.clean, 'agents/x.md': '---\nname: [a\ndescription: b\n---\nText' }, 'plugin'],
    ['a map', { ...pluginTrees.clean, 'agents/x.md': '---\nname: {a: b\ndescription: b\n---\nText' }, 'plugin'],
    ['a skill', { ...pluginTrees.skill, 'SKILL.md': '---\nname: [a\n---\nText' }, 'skill'],
  ])('rejects %s whose name cannot be read', async (_, tree, kind) => {
    await expect(read(tree, kind)).rejects.toMatchObject({
      code: 'parse_failed',
      status: 422,
      message: expect.stringMatching(/\.md: line 2: name is not valid YAML/),
    });
  });

  it('names a bounded number of skills of a plugin without agents, wherever their folders are', async () => {
    const skills = Array.from({ length: 51 }, (_, i) => [`more/s${i}/SKILL.md`, '---\nname: s\n---\nText']);
    const tree = { 'plugin.json': '{"name":"many"}', 'other/SKILL.md': 'Text', ...Object.fromEntries(skills) };
    const refusal = await read(tree).catch((error: Error) => error.message);
    expect(refusal).toMatch(/: more\/s0, more\/s1, .*, …$/);
    expect(String(refusal).split(', ')).toHaveLength(51);
  });

  it.each<CompileKind>(['plugin', 'skill'])(
    'rejects a marketplace that is not a %s and names the plugins in it',
    async (kind) => {
      const plugins = [
        { name: 'a', source: './plugins/a' },
        { name: 'b', source: 'plugins/b/' },
        { name: 'elsewhere', source: { source: 'github', repo: 'o/r' } },
        { name: 'outside', source: '../x' },
        'nonsense',
      ];
      const tree = { '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }), 'README.md': 'x' };
      await expect(read(tree, kind)).rejects.toMatchObject({
        code: 'parse_failed',
        message: `this is a marketplace, not a ${kind}; compile one of its plugins: plugins/a, plugins/b`,
      });
      const both = { ...tree, ...(kind === 'plugin' ? pluginTrees.clean : pluginTrees.skill) };
      expect(await read(both, kind)).toBeDefined();
    },
  );

  it('returns undefined without a manifest or without the path', async () => {
    expect(await read(pluginTrees.noManifest)).toBeUndefined();
    expect(await read(pluginTrees.clean, 'plugin', 'plugins/other')).toBeUndefined();
    expect(await read(pluginTrees.clean, 'plugin', 'agents/code')).toBeUndefined();
  });

  it.each<[string, Tree, RegExp]>([
    ['a file that is too large', { 'a.md': 'x'.repeat(600_000) }, /a\.md is over/],
    [
      'files that are too large together',
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}.md`, 'x'.repeat(500_000)])),
      /the files are over/,
    ],
    [
      'too many files',
      Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`${i}.md`, ''])),
      /more than 5000 files/,
    ],
    ['a hard link', { 'a.md': { hardLink: '/etc/passwd' } }, /contains a link: /],
    ['a file that is not text', { 'a.md': Buffer.from([0xff, 0xfe]) }, /not UTF-8/],
    ['a NUL', { 'a.md': 'a\0b' }, /is not text/],
    ['a link to the root', { 'a/b': { link: '..' }, 'c.md': 'c' }, /link a\/b leads outside/],
    ['an absolute name', { raw: { rawName: '/etc/passwd.md', text: '' } }, /leads outside it/],
  ])('rejects an archive with %s', async (_, tree, message) => {
    await expect(read(tree)).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringMatching(message),
    });
  });

  it('rejects bytes that are not an archive', async () => {
    for (const bytes of [Buffer.from('no gzip'), (await packArchive('r', 'c', pluginTrees.clean)).subarray(0, 400)]) {
      await expect(archiveTree(bytes, '')).rejects.toMatchObject({ code: 'parse_failed' });
    }
  });

  it('rejects an archive that unpacks to too many bytes', async () => {
    const bomb = packBomb(800);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(archiveTree(bomb, '')).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringMatching(/the repository is over/),
    });
  });
});

describe('uploaded files', () => {
  it('gives the same tree as the archive of the files, in any order', async () => {
    const entries = Object.entries(pluginTrees.clean);
    const [tree, reversed] = [filesTree(Object.fromEntries(entries)), filesTree(Object.fromEntries(entries.reverse()))];
    expect([...tree.files]).toEqual([...reversed.files]);
    const archive = await packArchive('repo', 'c', pluginTrees.clean);
    expect([...tree.files]).toEqual([...(await archiveTree(archive, ''))!.files]);
  });

  it.each(['../a.md', '/a.md', 'a/../b.md', 'a\\b.md', 'C:/a.md', '', '.', './', 'a\u0000.md', 'x'.repeat(2_000)])(
    'rejects the path %j',
    (path) => {
      expect(() => filesTree({ [path]: '' })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    },
  );

  it('rejects the same path twice, even in two spellings', () => {
    const twice = { 'a.md': '', './a.md': '' };
    expect(() => filesTree(twice)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
