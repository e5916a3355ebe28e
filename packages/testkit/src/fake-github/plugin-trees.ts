import type { Tree } from './archive.js';

/** Frontmatter and body of a markdown file. */
export function markdown(frontmatter: string, body: string): string {
  return `---\n${frontmatter}\n---\n\n${body}\n`;
}

const manifest = (values: object) => `${JSON.stringify(values, undefined, 2)}\n`;

const explorer = markdown(
  'name: code-explorer\ndescription: Traces how a feature works\ntools: Glob, Grep, Read\nmodel: sonnet\ncolor: yellow',
  'You trace execution paths from entry points to storage.',
);
const reviewer = markdown(
  'name: code-reviewer\ndescription: Reviews code for faults\ntools: Read',
  'You review code and report what is wrong with it.',
);
const command = markdown(
  'description: Guided work on a feature\nargument-hint: What to build',
  '# Feature\n\nExplore, then review.',
);

const manyAgents = (count: number, bytes: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `agents/agent-${String(i).padStart(3, '0')}.md`,
      markdown(`name: agent-${i}\ndescription: Does part ${i}`, `Part ${i}. ${'x'.repeat(bytes)}`),
    ]),
  );

/** Shapes of plugins in public repositories, with our own texts. */
export const pluginTrees = {
  clean: {
    '.claude-plugin/plugin.json': manifest({
      name: 'feature-work',
      version: '1.0.0',
      description: 'Agents for work on features',
      author: { name: 'Somebody', email: 'somebody@example.com' },
    }),
    'agents/code-explorer.md': explorer,
    'agents/code-reviewer.md': reviewer,
    'commands/feature.md': command,
    'README.md': '# Feature work\n',
  },
  brokenYaml: {
    '.claude-plugin/plugin.json': manifest({ name: 'review-kit', description: 'Reviews' }),
    'agents/colon.md': markdown(
      'name: comment-analyzer\ndescription: Use this agent when comments are to be checked. Examples: user: "check them" assistant: "I will"\\n\\nmore\nmodel: inherit',
      'You check comments.',
    ),
    'agents/dialogue.md': markdown(
      'name: test-analyzer\ndescription: Use this agent after tests were written. Examples:\n\n<example>\nContext: tests are there.\nuser: "Are they enough?"\nassistant: "I ask: the analyzer."\n</example>\ntools: ["Read", "Grep"]\ncolor: cyan',
      'You look for gaps in tests.',
    ),
    'agents/quotes.md': markdown('name: quoter\ndescription: "Says "hello" a lot"', 'You greet.'),
  },
  manifestListed: {
    '.claude-plugin/plugin.json': manifest({
      name: 'core-development',
      description: 'Agents next to the manifest',
      agents: ['./api-designer.md', './more', './teams/*/agents', './nowhere.md'],
    }),
    'api-designer.md': markdown(
      'name: api-designer\ndescription: Designs APIs\ntools: Read, Write',
      'You design APIs.',
    ),
    'more/frontend.md': markdown('name: frontend\ndescription: Builds pages', 'You build pages.'),
    'teams/a/agents/one.md': markdown('name: one\ndescription: First', 'You are one.'),
    'teams/b/agents/two.md': markdown('name: two\ndescription: Second', 'You are two.'),
    'agents/default.md': markdown('name: in-the-default-folder\ndescription: Also there', 'You are there too.'),
    'skills/x/agents/no.md': markdown('name: not-an-agent\ndescription: Of a skill', 'Not this one.'),
  },
  commandOnly: {
    '.claude-plugin/plugin.json': manifest({ name: 'code-review', description: 'One command' }),
    'commands/review.md': command,
  },
  skillsOnly: {
    '.claude-plugin/plugin.json': manifest({ name: 'superpowers', description: 'Skills' }),
    'skills/writing/SKILL.md': markdown('name: writing\ndescription: Writes', 'Write.'),
    'skills/writing/agents/helper.md': markdown('name: helper\ndescription: Of the skill', 'Help.'),
    'skills/writing/references/agents/other.md': 'no frontmatter',
  },
  huge: {
    '.claude-plugin/plugin.json': manifest({ name: 'huge', description: 'Too much' }),
    ...manyAgents(60, 20_000),
  },
  large: { '.claude-plugin/plugin.json': manifest({ name: 'large', description: 'Much' }), ...manyAgents(51, 5_000) },
  symlinked: {
    '.claude-plugin/plugin.json': manifest({ name: 'linked', description: 'With links' }),
    'shared/writer.md': markdown('name: writer\ndescription: Writes', 'You write.'),
    'shared/set/editor.md': markdown('name: editor\ndescription: Edits', 'You edit.'),
    'agents/writer.md': { link: '../shared/writer.md' },
    'agents/again.md': { link: 'writer.md' },
    'agents/set': { link: '../shared/set' },
    'agents/lost.md': { link: '../shared/nothing.md' },
    'agents/circle.md': { link: 'circle.md' },
    'CLAUDE.md': { link: 'README.md' },
    'README.md': '# Linked\n',
  },
  escapingLink: {
    '.claude-plugin/plugin.json': manifest({ name: 'escape', description: 'Leads out' }),
    'agents/a.md': explorer,
    'agents/passwd.md': { link: '../../../../etc/passwd' },
  },
  absoluteLink: {
    '.claude-plugin/plugin.json': manifest({ name: 'escape', description: 'Leads out' }),
    'agents/a.md': explorer,
    'agents/passwd.md': { link: '/etc/passwd' },
  },
  duplicateNames: {
    '.claude-plugin/plugin.json': manifest({ name: 'twins', description: 'Two of a name' }),
    'agents/first.md': explorer,
    'agents/second.md': explorer,
  },
  badPaths: {
    '.claude-plugin/plugin.json': manifest({ name: 'bad', description: 'Leads out', agents: ['../other/agent.md'] }),
    'agents/a.md': explorer,
  },
  hostileArchive: {
    '.claude-plugin/plugin.json': manifest({ name: 'hostile', description: 'An archive that leads out' }),
    'agents/a.md': explorer,
    raw: { rawName: 'x/../../../etc/cron.d/evil.md', text: 'evil' },
  },
  toolsLists: {
    '.claude-plugin/plugin.json': manifest({ name: 'tools', description: 'Every spelling of tools' }),
    'agents/comma.md': markdown('name: comma\ndescription: d\ntools: Read, Bash(git add:*), Agent(a, b), Read', 'p'),
    'agents/flow.md': markdown('name: flow\ndescription: d\ntools: ["Read", "Grep"]', 'p'),
    'agents/list.md': markdown('name: list\ndescription: d\ntools:\n  - Read\n  - mcp__github__search', 'p'),
    'agents/blanks.md': markdown('name: blanks\ndescription: d\ntools: Read Grep', 'p'),
    'agents/none.md': markdown('name: none\ndescription: d', 'p'),
    'agents/empty.md': markdown('name: empty\ndescription: d\ntools: []', 'p'),
    'agents/odd.md': markdown('name: odd\ndescription: d\ntools: {a: b}', 'p'),
    'agents/star.md': markdown('name: star\ndescription: d\ntools: mcp__github__*', 'p'),
  },
  oldSchema: {
    'plugin.json': manifest({ name: 'old', description: 'Agents without names', hooks: './hooks/hooks.json' }),
    'agents/data-analyst.md': markdown('description: Looks at data\ncapabilities: ["a", "b"]', 'You look at data.'),
    'agents/README.md': '# Agents\n',
    'agents/yes.md': markdown('name: 123\ndescription: A number', 'You count.'),
    'hooks/hooks.json': '{"hooks":{}}',
    '.mcp.json': '{"mcpServers":{}}',
  },
  noManifest: { 'agents/a.md': explorer, 'commands/c.md': command },
  brokenManifest: { '.claude-plugin/plugin.json': '{"name": "x",}', 'agents/a.md': explorer },
  skill: {
    'SKILL.md': markdown('name: report-writing\ndescription: Writes reports', '# Reports\n\nGather, then write.'),
    'agents/researcher.md': markdown(
      'name: researcher\ndescription: Gathers facts\ntools: WebSearch',
      'You gather facts.',
    ),
    'agents/author.md': markdown('name: author\ndescription: Writes the text', 'You write the text.'),
    'commands/report.md': markdown('description: A report on a topic', 'Research the topic, then write.'),
  },
} as const satisfies Record<string, Tree>;
