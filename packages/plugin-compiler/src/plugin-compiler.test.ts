import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ResponsesBody } from '@tollgate/api/model-requests';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type Call, startCall } from '@tollgate/rpc';
import { silentLogger, systemClock } from '@tollgate/runtime';
import { pluginTrees } from '@tollgate/testkit';
import { GITHUB_API_URL, GITHUB_CODELOAD_URL } from './compile-config.js';
import { pluginJobs } from './jobs.js';
import { createPluginCompiler, type PluginCompiler, type PluginCompilerOptions } from './plugin-compiler.js';
import type { PluginJobRunner } from './plugin-jobs.js';

const SKILL = { 'SKILL.md': '---\nname: notes\ndescription: Writes notes\n---\nYou write notes.' };
const PLUGIN = Object.fromEntries(Object.entries(pluginTrees.clean).filter(([, text]) => typeof text === 'string'));
const DRAFT = JSON.stringify({
  steps: [{ id: 'explore', agent: 'code-explorer', task: 'Explore the code', after: [] }],
});

let stored: Map<string, string>;
let asked: ResponsesBody[];
let answers: string[];
let verdicts: Awaited<ReturnType<PluginCompilerOptions['check']>>[];
let compiler: PluginCompiler;

beforeEach(() => {
  stored = new Map();
  asked = [];
  answers = [];
  verdicts = [];
  compiler = createPluginCompiler({
    config: {
      apiUrl: GITHUB_API_URL,
      codeloadUrl: GITHUB_CODELOAD_URL,
      token: undefined,
      defaultModel: 'sandbox/echo-1',
    },
    clock: systemClock,
    logger: silentLogger,
    results: {
      find: async (key) => stored.get(key),
      async keep({ key, result }) {
        stored.set(key, result);
        return result;
      },
    },
    jobs: { run: (kind, input) => pluginJobs[kind](input) } satisfies PluginJobRunner,
    async ask(request) {
      asked.push(request);
      return answers.shift() ?? DRAFT;
    },
    check: async () => verdicts.shift() ?? { ok: true },
    specBytesMax: 100_000,
  });
});
afterEach(() => compiler.stop());

function secretKey(kind = PrincipalKind.SECRET_KEY): Call {
  const principal = { accountId: 'account', projectId: 'project', customerId: '', kind };
  return startCall({ principal: principal as never, timeoutMs: 10_000 });
}

async function compile(contentsByPath: Record<string, string>, call = secretKey(), maxAttempts = 2) {
  const input = { from: { case: 'files', value: { contentsByPath } }, model: '', maxAttempts } as never;
  return compiler.compile('SKILL.md' in contentsByPath ? 'skill' : 'plugin', 'workflow.v1', input, call);
}

describe('a plugin compiler', () => {
  it('compiles a skill of one agent without a model', async () => {
    const { workflow, skill } = JSON.parse(await compile(SKILL));
    expect(skill).toEqual({ name: 'notes', description: 'Writes notes', agents: ['notes'] });
    expect(workflow.nodes).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it('returns the stored bytes for the same files, and generates once for concurrent callers', async () => {
    const [first, second] = await Promise.all([compile(PLUGIN), compile(PLUGIN)]);
    expect(second).toBe(first);
    expect(await compile(PLUGIN)).toBe(first);
    expect(asked).toHaveLength(1);
  });

  it('generates again after a failure', async () => {
    answers = ['no JSON', 'no JSON'];
    await expect(compile(PLUGIN)).rejects.toMatchObject({ code: 'generation_failed' });
    expect(JSON.parse(await compile(PLUGIN)).workflow.nodes).toHaveLength(1);
  });

  it('returns the faults that the check finds to the model', async () => {
    verdicts = [{ ok: false, issues: [{ path: 'nodes.0', message: 'is not allowed' }] }];
    await compile(PLUGIN);
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked[1])).toContain('nodes.0: is not allowed');
  });

  it('refuses callers without a secret key', async () => {
    const call = secretKey(PrincipalKind.CUSTOMER);
    await expect(compile(SKILL, call)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
