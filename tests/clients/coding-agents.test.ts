// Coding agents, unmodified, each complete a small task through the gateway on models of three vendors: the vendors are
// scripted, the agents run their own tools, and the bill equals the tokens that the vendors reported.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWith } from '@tollgate/testkit/describe-with';
import { type AgentHarness, DONE, startAgentHarness } from './agent-harness.js';
import { Results, readTable, renderTable } from './matrix/table.js';
import type { Step } from './scripted-vendor.js';

const RESPONSES = '/v1/responses';
const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const GEMINI = '/v1beta/models/gemini-3.8-flash:streamGenerateContent';
const AGENTS = ['Claude Code', 'Codex', 'gemini-cli', 'opencode', 'aider'];
const VENDORS = { gpt: 'OpenAI models', claude: 'Anthropic models', gemini: 'Gemini models' };

const results = new Results();
let harness: AgentHarness;

beforeAll(async () => {
  harness = await startAgentHarness();
});
afterAll(async () => {
  await harness?.stop();
  process.stdout.write(`\n${renderTable(toTable())}\n`);
});
beforeEach(() => harness.newTask());
afterEach(() => harness.removeFolder());

/** Runs one test of the cell of an agent and the vendor of a model. */
function record(agent: string, model: string, test: () => Promise<void>): Promise<void> {
  const [, vendor] = Object.entries(VENDORS).find(([prefix]) => model.startsWith(prefix)) ?? [];
  return results.record(agent, vendor ?? model, test);
}

function setVersion(agent: string, program: string): void {
  const env = { PATH: process.env.PATH, HOME: harness.folder };
  const printed = execFileSync(program, ['--version'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  results.setVersion(agent, /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? printed);
}

async function expectDone(output: string, { content, path }: { content: string; path: string }): Promise<void> {
  expect(output).toContain(DONE);
  expect(harness.read('hello.txt')).toBe(content);
  expect(harness.vendor.calls.map((call) => call.path)).toContain(path);
  await harness.expectExactBill();
}

describeWith('CODEX', 'Codex', (codex) => {
  function runCodex(model: string): Promise<string> {
    const provider = `{name="tollgate",base_url="${harness.system.stack.httpUrl}/v1",env_key="TOLLGATE_KEY",wire_api="responses"}`;
    const settings = ['model_provider="tollgate"', `model_providers.tollgate=${provider}`];
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model];
    const home = join(harness.folder, '.codex');
    mkdirSync(home, { recursive: true });
    return harness.run(codex, ['exec', ...flags, ...settings.flatMap((each) => ['-c', each]), 'Add hello.txt.'], {
      CODEX_HOME: home,
      TOLLGATE_KEY: harness.customer.token,
    });
  }

  const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n';
  const shell: Step = { tool: 'exec_command', input: { cmd: 'printf more >> hello.txt' } };
  const done: Step = { text: DONE };

  it('completes the task with its custom tool and a command, on a model of OpenAI', () =>
    record('Codex', 'gpt-5.5', async () => {
      setVersion('Codex', codex);
      harness.vendor.play([{ tool: 'apply_patch', textInput: patch }, shell, done]);
      const output = await runCodex('gpt-5.5');
      const { body } = harness.vendor.calls[0]!;
      const types = body.tools.map(({ type }: { type: string }) => type);
      expect(types).toEqual(expect.arrayContaining(['function', 'custom', 'web_search']));
      expect(body).toMatchObject({ store: false, max_tool_calls: 5 });
      await expectDone(output, { content: 'hello\nmore', path: RESPONSES });
    }));

  it('sends its tools as items, and completes the task, on a model of OpenAI', () =>
    record('Codex', 'gpt-6-astra', async () => {
      const code = "text(await tools.exec_command({ cmd: 'printf hello > hello.txt' }))";
      harness.vendor.play([{ tool: 'exec', textInput: code }, done]);
      const output = await runCodex('gpt-6-astra');
      expect(harness.vendor.calls[0]!.body.input[0].type).toBe('additional_tools');
      expect(harness.vendor.calls[0]!.headers['x-openai-internal-codex-responses-lite']).toBe('true');
      await expectDone(output, { content: 'hello', path: RESPONSES });
    }));

  it.each([
    ['claude-opus-5-5', MESSAGES],
    ['gemini-3.8-flash', GEMINI],
  ])('completes the task on a translated model, %s', (model, path) =>
    record('Codex', model, async () => {
      harness.vendor.play([{ tool: 'exec_command', input: { cmd: 'printf hello > hello.txt' } }, shell, done]);
      const output = await runCodex(model);
      if (path === MESSAGES) {
        const names = harness.vendor.calls[0]!.body.tools.map(({ name }: { name: string }) => name);
        expect(names).toEqual(expect.arrayContaining(['exec_command', 'multi_agent_v1__spawn_agent', 'web_search']));
      }
      await expectDone(output, { content: 'hellomore', path });
    }),
  );
});

describeWith('CLAUDE_CODE', 'Claude Code', (claude) => {
  function runClaude(model: string): Promise<string> {
    const args = ['-p', 'Add hello.txt.', '--model', model, '--allowedTools', 'Write,Bash,Read'];
    return harness.run(claude, args, {
      ANTHROPIC_BASE_URL: harness.system.stack.httpUrl,
      ANTHROPIC_API_KEY: harness.customer.token,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    });
  }

  it.each([
    ['claude-opus-5-5', MESSAGES],
    ['gpt-4.1-mini', CHAT],
    ['gemini-3.8-flash', GEMINI],
  ])('writes a file, runs a command and ends, with %s at %s', (model, path) =>
    record('Claude Code', model, async () => {
      setVersion('Claude Code', claude);
      playTask({ write: 'Write', shell: 'Bash', file: 'file_path' });
      await expectDone(await runClaude(model), { content: 'hello\nmore', path });
    }),
  );

  it('reaches Anthropic with the betas that its body needs', async () => {
    writeFileSync(join(harness.folder, 'work', 'a.txt'), 'a');
    harness.vendor.play([{ text: DONE }]);
    await runClaude('claude-opus-5-5');
    const betas = String(harness.vendor.calls[0]!.headers['anthropic-beta']).split(',');
    expect(betas).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^claude-code-/),
        expect.stringMatching(/^effort-/),
        expect.stringMatching(/^context-management-/),
        expect.stringMatching(/^mid-conversation-tool-changes-/),
      ]),
    );
    expect(harness.vendor.calls[0]!.body).toMatchObject({ output_config: { effort: expect.any(String) } });
  });
});

describeWith('GEMINI_CLI', 'gemini-cli', (gemini) => {
  function runGemini(model: string): Promise<string> {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    mkdirSync(join(harness.folder, '.gemini'), { recursive: true });
    writeFileSync(join(harness.folder, '.gemini', 'settings.json'), JSON.stringify(settings));
    return harness.run(gemini, ['-m', model, '--yolo', '-p', 'Add hello.txt.'], {
      GOOGLE_GEMINI_BASE_URL: harness.system.stack.httpUrl,
      GEMINI_API_KEY: harness.customer.token,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    });
  }

  it.each([
    ['gemini-3.8-flash', GEMINI],
    ['claude-opus-5-5', MESSAGES],
    ['gpt-4.1-mini', CHAT],
  ])('writes a file, runs a command and ends, with %s at %s', (model, path) =>
    record('gemini-cli', model, async () => {
      setVersion('gemini-cli', gemini);
      playTask({ write: 'write_file', shell: 'run_shell_command', file: 'file_path' });
      await expectDone(await runGemini(model), { content: 'hello\nmore', path });
    }),
  );
});

describeWith('OPENCODE', 'opencode', (opencode) => {
  /** With the provider of each vendor's own wire format, as its own documents set them up. */
  function runOpencode(model: string): Promise<string> {
    const baseURL = `${harness.system.stack.httpUrl}/v1`;
    const npm = model.startsWith('claude') ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible';
    const tollgate = { npm, options: { baseURL, apiKey: harness.customer.token }, models: { [model]: {} } };
    const config = { provider: { tollgate }, autoupdate: false, share: 'disabled', permission: 'allow' };
    writeFileSync(join(harness.folder, 'opencode.json'), JSON.stringify(config));
    return harness.run(opencode, ['run', '-m', `tollgate/${model}`, 'Add hello.txt.'], {
      OPENCODE_CONFIG: join(harness.folder, 'opencode.json'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    });
  }

  it.each([
    ['gpt-4.1-mini', CHAT],
    ['claude-opus-5-5', MESSAGES],
    ['gemini-3.8-flash', GEMINI],
  ])('writes a file, runs a command and ends, with %s at %s', (model, path) =>
    record('opencode', model, async () => {
      setVersion('opencode', opencode);
      playTask({ write: 'write', shell: 'bash', file: 'filePath' });
      await expectDone(await runOpencode(model), { content: 'hello\nmore', path });
    }),
  );
});

describeWith('CLIENT_TOOLS', 'aider', (tools) => {
  const aider = join(tools, 'python/aider/bin/aider');

  /** It has no tools: it reads the file's new content in the answer. */
  function runAider(model: string): Promise<string> {
    const { httpUrl } = harness.system.stack;
    const { token } = harness.customer;
    const at = model.startsWith('claude')
      ? { name: `anthropic/${model}`, env: { ANTHROPIC_API_BASE: httpUrl, ANTHROPIC_API_KEY: token } }
      : { name: `openai/${model}`, env: { OPENAI_API_BASE: `${httpUrl}/v1`, OPENAI_API_KEY: token } };
    const quiet = ['--no-check-update', '--no-show-release-notes', '--no-show-model-warnings', '--analytics-disable'];
    const flags = ['--yes-always', '--no-git', '--no-pretty', '--no-detect-urls', '--edit-format', 'whole', ...quiet];
    const args = ['--model', at.name, '--weak-model', at.name, ...flags, '--message', 'Add hello.txt.', 'hello.txt'];
    return harness.run(aider, args, { LITELLM_LOCAL_MODEL_COST_MAP: 'True', ...at.env });
  }

  it.each([
    ['gpt-4.1-mini', CHAT],
    ['claude-opus-5-5', MESSAGES],
    ['gemini-3.8-flash', GEMINI],
  ])('writes a file and ends, with %s at %s', (model, path) =>
    record('aider', model, async () => {
      setVersion('aider', aider);
      harness.vendor.play([], { withoutTools: { text: `hello.txt\n\`\`\`\nhello\n\`\`\`\n\n${DONE}` } });
      await expectDone(await runAider(model), { content: 'hello\n', path });
    }),
  );
});

describeWith('CLIENT_TOOLS', 'the document', () => {
  it('shows these results', () => {
    const table = toTable();
    const isWhole = table.rows.every((row) => row.every((cell) => cell !== ''));
    if (isWhole) expect(readTable('Coding agents')).toBe(renderTable(table));
  });
});

/** A task of two steps, by the names of an agent's tools and of the argument with the file's path. */
function playTask({ write, shell, file }: { write: string; shell: string; file: string }): void {
  const path = join(harness.folder, 'work', 'hello.txt');
  harness.vendor.play([
    { tool: write, input: { [file]: path, content: 'hello\n' } },
    { tool: shell, input: { command: `printf more >> ${path}`, description: 'Append' } },
    { text: DONE },
  ]);
}

function toTable() {
  const columns = Object.values(VENDORS);
  const rows = AGENTS.map((agent) => [
    agent,
    results.readVersion(agent),
    ...columns.map((column) => results.render(agent, column)),
  ]);
  return { columns: ['Agent', 'Version', ...columns], rows };
}
