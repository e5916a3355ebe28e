// Codex, Claude Code and gemini-cli, unmodified, each complete a small coding task through the gateway: the vendors are scripted, the
// agents run their own tools, and the bill equals the tokens that the vendors reported.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeWith } from '../system/outside-parts.js';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { type ScriptedVendor, type Step, startScriptedVendor } from './scripted-vendor.js';

const PRICE = { input: 200, output: 600 };
const RUN_TIMEOUT_MS = 150_000;
/** Models of the catalog. Codex knows the first two, Claude Code those of Anthropic. */
const models = ['gpt-5.5', 'gpt-6-astra', 'claude-opus-5-5', 'claude-haiku-5-5', 'gpt-4.1-mini', 'gemini-3.8-flash'];

let vendor: ScriptedVendor;
let system: System;
let project: TestProject;
let customer: TestCustomer;
let folder: string;

async function start(): Promise<void> {
  vendor = await startScriptedVendor();
  system = await startSystem({
    mode: 'one process',
    env: {
      OPENAI_BASE_URL: `${vendor.origin}/v1`,
      OPENAI_API_KEY: 'k-upstream',
      OPENAI_RESPONSES_API: '1',
      ANTHROPIC_BASE_URL: vendor.origin,
      ANTHROPIC_API_KEY: 'k-upstream',
      GEMINI_BASE_URL: `${vendor.origin}/v1beta`,
      GEMINI_API_KEY: 'k-upstream',
    },
  });
  project = await system.project();
}

async function stop(): Promise<void> {
  await system?.stop();
  await vendor?.stop();
}

async function newTask(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-agent-'));
  mkdirSync(join(folder, 'work'));
  customer = await project.customerOn('free', {
    spendLimitCents: 100_000,
    tier: {
      models: models.map((model_id, i) => ({
        model_id,
        is_default: i === 0,
        input_price_per_million_cents: PRICE.input,
        output_price_per_million_cents: PRICE.output,
      })),
    },
  });
}

/** Runs an agent in an empty folder with a home of its own. Resolves with its output for any exit code. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const options = {
    cwd: join(folder, 'work'),
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (_error, stdout, stderr) => resolve(stdout + stderr));
    child.stdin?.end();
  });
}

function written(name: string): string {
  return readFileSync(join(folder, 'work', name), 'utf8');
}

async function expectExactBill(): Promise<void> {
  const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
  expect(usage.requests).toBe(vendor.calls.length);
  expect(usage.total_cost_microcents).toBe(vendor.used.input * PRICE.input + vendor.used.output * PRICE.output);
}

function removeFolder(): void {
  rmSync(folder, { recursive: true, force: true });
}

describeWith('CODEX', 'Codex', (codex) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(newTask);

  function codexRun(model: string, config: readonly string[]): Promise<string> {
    const provider = `{name="tollgate",base_url="${system.stack.httpUrl}/v1",env_key="TOLLGATE_KEY",wire_api="responses"}`;
    const settings = ['model_provider="tollgate"', `model_providers.tollgate=${provider}`, ...config];
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', model];
    mkdirSync(join(folder, '.codex'));
    return run(codex, ['exec', ...flags, ...settings.flatMap((each) => ['-c', each]), 'Add hello.txt.'], {
      CODEX_HOME: join(folder, '.codex'),
      TOLLGATE_KEY: customer.token,
    });
  }

  const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n';
  const shell: Step = { tool: 'exec_command', input: { cmd: 'printf more >> hello.txt' } };
  const done: Step = { text: 'The file is there.' };

  it('completes the task with its custom tool and a command, on a model of OpenAI', async () => {
    vendor.play([{ tool: 'apply_patch', textInput: patch }, shell, done]);
    const output = await codexRun('gpt-5.5', []);
    expect(output).toContain('The file is there.');
    expect(written('hello.txt')).toBe('hello\nmore');
    const { body } = vendor.calls[0]!;
    const types = body.tools.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(['function', 'custom', 'web_search']));
    expect(body).toMatchObject({ store: false, max_tool_calls: 5 });
    await expectExactBill();
    removeFolder();
  });

  it('sends its tools as items, and completes the task, on a model of OpenAI', async () => {
    const code = "text(await tools.exec_command({ cmd: 'printf hello > hello.txt' }))";
    vendor.play([{ tool: 'exec', textInput: code }, done]);
    const output = await codexRun('gpt-6-astra', []);
    expect(output).toContain('The file is there.');
    expect(written('hello.txt')).toBe('hello');
    expect(vendor.calls[0]!.body.input[0].type).toBe('additional_tools');
    expect(vendor.calls[0]!.headers['x-openai-internal-codex-responses-lite']).toBe('true');
    await expectExactBill();
    removeFolder();
  });

  it('completes the task on a translated model', async () => {
    vendor.play([{ tool: 'exec_command', input: { cmd: 'printf hello > hello.txt' } }, shell, done]);
    const output = await codexRun('claude-opus-5-5', []);
    expect(output).toContain('The file is there.');
    expect(written('hello.txt')).toBe('hellomore');
    const { path, body } = vendor.calls[0]!;
    expect(path).toBe('/v1/messages');
    const names = body.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['exec_command', 'multi_agent_v1__spawn_agent', 'web_search']));
    await expectExactBill();
    removeFolder();
  });
});

describeWith('CLAUDE_CODE', 'Claude Code', (claude) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(newTask);

  function claudeRun(model: string): Promise<string> {
    const args = ['-p', 'Add hello.txt.', '--model', model, '--allowedTools', 'Write,Bash,Read'];
    return run(claude, args, {
      ANTHROPIC_BASE_URL: system.stack.httpUrl,
      ANTHROPIC_API_KEY: customer.token,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    });
  }

  function task(): Step[] {
    const file = join(folder, 'work', 'hello.txt');
    return [
      { tool: 'Write', input: { file_path: file, content: 'hello\n' } },
      { tool: 'Bash', input: { command: `printf more >> ${file}`, description: 'Append' } },
      { text: 'The file is there.' },
    ];
  }

  it.each([
    ['claude-opus-5-5', '/v1/messages'],
    ['gpt-4.1-mini', '/v1/chat/completions'],
  ])('writes a file, runs a command and ends, with %s at %s', async (model, path) => {
    vendor.play(task());
    const output = await claudeRun(model);
    expect(output).toContain('The file is there.');
    expect(written('hello.txt')).toBe('hello\nmore');
    expect(vendor.calls.map((call) => call.path)).toContain(path);
    await expectExactBill();
    removeFolder();
  });

  it('reaches Anthropic with the betas that its body needs', async () => {
    writeFileSync(join(folder, 'work', 'a.txt'), 'a');
    vendor.play([{ text: 'The file is there.' }]);
    await claudeRun('claude-opus-5-5');
    const betas = String(vendor.calls[0]!.headers['anthropic-beta']).split(',');
    expect(betas).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^claude-code-/),
        expect.stringMatching(/^effort-/),
        expect.stringMatching(/^context-management-/),
        expect.stringMatching(/^mid-conversation-tool-changes-/),
      ]),
    );
    expect(vendor.calls[0]!.body).toMatchObject({ output_config: { effort: expect.any(String) } });
    removeFolder();
  });
});

describeWith('GEMINI_CLI', 'gemini-cli', (gemini) => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(newTask);

  function geminiRun(model: string): Promise<string> {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    mkdirSync(join(folder, '.gemini'));
    writeFileSync(join(folder, '.gemini', 'settings.json'), JSON.stringify(settings));
    return run(gemini, ['-m', model, '--yolo', '-p', 'Add hello.txt.'], {
      GOOGLE_GEMINI_BASE_URL: system.stack.httpUrl,
      GEMINI_API_KEY: customer.token,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      TMPDIR: folder,
    });
  }

  it.each([
    ['gemini-3.8-flash', '/v1beta/models/gemini-3.8-flash:streamGenerateContent'],
    ['claude-opus-5-5', '/v1/messages'],
    ['gpt-4.1-mini', '/v1/chat/completions'],
  ])('writes a file, runs a command and ends, with %s at %s', async (model, path) => {
    const file = join(folder, 'work', 'hello.txt');
    vendor.play([
      { tool: 'write_file', input: { file_path: file, content: 'hello\n' } },
      { tool: 'run_shell_command', input: { command: `printf more >> ${file}`, description: 'Append' } },
      { text: 'The file is there.' },
    ]);
    const output = await geminiRun(model);
    expect(output).toContain('The file is there.');
    expect(written('hello.txt')).toBe('hello\nmore');
    expect(vendor.calls.map((call) => call.path)).toContain(path);
    await expectExactBill();
    removeFolder();
  });
});
