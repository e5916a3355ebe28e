// Coding agents in an empty folder, with scripted vendors behind the gateway.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { must, type System, startSystem, type TestCustomer, type TestProject } from '../system/start-system.js';
import { type ScriptedVendor, startScriptedVendor } from './scripted-vendor.js';

const PRICE = { input: 200, output: 600 };
const RUN_TIMEOUT_MS = 150_000;
/** Models of the catalog. Codex knows the first two, Claude Code those of Anthropic. */
const models = ['gpt-5.5', 'gpt-6-astra', 'claude-opus-5-5', 'claude-haiku-5-5', 'gpt-4.1-mini', 'gemini-3.8-flash'];

/** The agents write this text at the end of the task. */
export const DONE = 'The file is there.';

export interface AgentHarness {
  readonly vendor: ScriptedVendor;
  readonly system: System;
  /** Of the present task. */
  readonly customer: TestCustomer;
  /** The agent's home; `work` in it is the folder of the task. */
  readonly folder: string;
  /** Makes a folder and a customer. */
  newTask(): Promise<void>;
  /** Runs an agent. Resolves with its output for any exit code. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string>;
  read(file: string): string;
  /** Expects a bill that equals the tokens that the vendors reported. */
  expectExactBill(): Promise<void>;
  removeFolder(): void;
  stop(): Promise<void>;
}

export async function startAgentHarness(): Promise<AgentHarness> {
  const vendor = await startScriptedVendor();
  const system = await startSystem({ mode: 'one process', env: toVendorEnv(vendor) });
  const project = await system.project();
  let folder = '';
  let customer: TestCustomer | undefined;
  const findCustomer = (): TestCustomer => {
    if (!customer) throw new Error('no task was started');
    return customer;
  };
  const work = () => join(folder, 'work');
  return {
    vendor,
    system,
    get customer() {
      return findCustomer();
    },
    get folder() {
      return folder;
    },
    newTask: async () => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-agent-'));
      mkdirSync(work());
      customer = await newCustomer(project);
    },
    run: (command, args, env) => runAgent(command, args, { folder, cwd: work(), env }),
    read: (file) => readFileSync(join(work(), file), 'utf8'),
    expectExactBill: async () => {
      const { usage } = must(await findCustomer().api.get('/customers/me/usage'), 200);
      expect(usage.requests).toBe(vendor.calls.length);
      expect(usage.total_cost_microcents).toBe(vendor.used.input * PRICE.input + vendor.used.output * PRICE.output);
    },
    removeFolder: () => rmSync(folder, { recursive: true, force: true }),
    stop: async () => {
      await system.stop();
      await vendor.stop();
    },
  };
}

function toVendorEnv({ origin }: ScriptedVendor): NodeJS.ProcessEnv {
  return {
    OPENAI_BASE_URL: `${origin}/v1`,
    OPENAI_API_KEY: 'k-upstream',
    OPENAI_RESPONSES_API: '1',
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: 'k-upstream',
    GEMINI_BASE_URL: `${origin}/v1beta`,
    GEMINI_API_KEY: 'k-upstream',
  };
}

function newCustomer(project: TestProject): Promise<TestCustomer> {
  return project.customerOn('free', {
    spendLimitCents: 100_000,
    tier: {
      models: models.map((model_id, i) => ({
        ...{ model_id, is_default: i === 0 },
        input_price_per_million_cents: PRICE.input,
        output_price_per_million_cents: PRICE.output,
      })),
    },
  });
}

/** Requests to other machines go to a proxy that does not exist. */
const LOOPBACK_ONLY = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
};

function runAgent(
  command: string,
  args: readonly string[],
  { folder, cwd, env }: { folder: string; cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const options = {
    cwd,
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...LOOPBACK_ONLY, ...env },
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (_error, stdout, stderr) => resolve(stdout + stderr));
    child.stdin?.end();
  });
}
