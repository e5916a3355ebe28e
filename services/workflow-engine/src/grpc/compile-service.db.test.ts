import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ResponsesBody } from '@tollgate/api/model-requests';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { CompileService } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Client, LocalNetwork } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import type { RunningService } from '@tollgate/service';
import { type FakeGithub, pluginTrees, startFakeGithub } from '@tollgate/testkit';
import { configFromEnv } from '../config.js';
import { compileSpec } from '../domain/compile/compile.js';
import { startWorkflow } from '../server.js';
import { deleteUnusedCompiled, findCompiled, keepCompiled } from '../store/compiled-results.js';
import { CUSTOMER, callAs, customerToken, OTHER_PROJECT, secretKey } from '../testing/engine-fixture.js';
import { FakeBilling } from '../testing/fake-billing.js';
import { FakeInference } from '../testing/fake-inference.js';
import { FakeTools } from '../testing/fake-tools.js';

const billing = new FakeBilling();
const network = new LocalNetwork();
const inference = new FakeInference(network);
let database: TestDatabase;
let github: FakeGithub;
let service: RunningService;
let compile: Client<typeof CompileService>;
let owners = 0;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  github = await startFakeGithub();
  network.register(billing.registration(), inference.registration(), new FakeTools().registration());
  service = await start({ SANDBOX_PROVIDER: '1' });
  compile = network.client(CompileService);
});

afterAll(async () => {
  await service.stop();
  await github.stop();
  await database.drop();
});

beforeEach(() => {
  inference.calls.length = 0;
  inference.reply = (call) => ({ text: draftFor(call.body) });
  billing.decide = () => undefined;
});

function start(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = configFromEnv({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    GITHUB_API_URL: github.apiUrl,
    GITHUB_CODELOAD_URL: github.codeloadUrl,
    GITHUB_TOKEN: 'a-token',
    ...env,
  });
  return startWorkflow(config, { network, logger: silentLogger });
}

/** Every agent once, each after the one before it. */
function draftFor(body: ResponsesBody): string {
  const schema = body.output_format?.json_schema?.schema as unknown as {
    properties: { steps: { items: { properties: { agent: { enum: string[] } } } } };
  };
  const agents = schema.properties.steps.items.properties.agent.enum;
  const steps = agents.map((agent, i) => ({
    id: `step_${i}`,
    agent,
    task: `Do part ${i}`,
    after: i === 0 ? [] : [`step_${i - 1}`],
  }));
  return JSON.stringify({ steps });
}

interface Options {
  kind?: 'plugin' | 'skill';
  model?: string;
  maxAttempts?: number;
  workflowKind?: string;
  principal?: Principal;
}

async function compileToBytes(from: string | Record<string, string>, options: Options = {}): Promise<string> {
  const { kind = 'plugin', model = '', maxAttempts = 3, workflowKind = '', principal = secretKey() } = options;
  const input = {
    model,
    maxAttempts,
    from:
      typeof from === 'string'
        ? { case: 'source' as const, value: from }
        : { case: 'files' as const, value: { contentsByPath: from } },
  };
  const call = callAs(principal);
  const { resultJson } =
    kind === 'plugin'
      ? await compile.compilePlugin({ input, workflowKind }, call)
      : await compile.compileSkill({ input }, call);
  return Buffer.from(resultJson).toString('utf8');
}

const compiled = async (from: string | Record<string, string>, options?: Options) =>
  JSON.parse(await compileToBytes(from, options));

/** A new repository. */
function publish(tree: Parameters<FakeGithub['push']>[1], ref?: string) {
  const repository = `owner-${++owners}/plugins`;
  return { repository, source: `github:${repository}`, commit: github.push(repository, tree, ref) };
}

const listRequests = (repository: string) => github.requests.filter(({ path }) => path.includes(repository));

describe('a plugin', () => {
  it('becomes a valid workflow.v0: a step per agent with its prompt, task, tools and inputs', async () => {
    const { source, commit } = publish(pluginTrees.clean);
    const result = await compiled(source, { model: 'sandbox/echo-1' });
    expect(Object.keys(result)).toEqual(['workflow', 'plugin', 'compiled_at', 'source_ref', 'warnings']);
    expect(result).toMatchObject({ source_ref: commit, warnings: [] });
    expect(new Date(result.compiled_at).toISOString()).toBe(result.compiled_at);
    expect(result.plugin).toEqual({
      name: 'feature-work',
      description: 'Agents for work on features',
      agents: [
        { name: 'code-explorer', system_prompt: 'You trace execution paths from entry points to storage.' },
        { name: 'code-reviewer', system_prompt: 'You review code and report what is wrong with it.' },
      ],
    });
    expect(compileSpec(result.workflow)).toMatchObject({ ok: true });
    expect(result.workflow).toMatchObject({ kind: 'workflow.v0', name: 'feature-work' });
    const [first, second] = result.workflow.nodes;
    expect(first.input.tool_execution).toEqual({ mode: 'client' });
    expect(first.input.request.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'Glob',
      'Grep',
      'Read',
    ]);
    expect(first.input.request.tools.at(-1).function.parameters).toMatchObject({
      type: 'object',
      properties: { file_path: { type: 'string' }, offset: { type: 'integer' } },
      required: ['file_path'],
    });
    expect(second.input).toMatchObject({
      request: {
        model: 'sandbox/echo-1',
        input: [
          { role: 'system', content: [{ text: 'You review code and report what is wrong with it.' }] },
          { role: 'user', content: [{ text: 'Do part 1' }] },
          { role: 'user', content: [{ text: 'The result of code-explorer (step_0):' }, { text: '' }] },
        ],
      },
      bindings: [{ from: 'step_0', pointer: '/output/0/content/0/text', to: '/input/2/content/1/text' }],
    });
    expect(result.workflow.outputs).toEqual([{ name: 'step_1', from: 'step_1', pointer: '/output/0/content/0/text' }]);
  });

  it('becomes a workflow.v1 that takes the user’s task, where the caller asks for it', async () => {
    const { source } = publish(pluginTrees.clean);
    const withoutTask = await compiled(source);
    const result = await compiled(source, { workflowKind: 'workflow.v1' });
    expect(result.workflow).toMatchObject({
      kind: 'workflow.v1',
      inputs: [{ name: 'task', type: 'string', default: '' }],
      nodes: [
        { input: { bindings: [{ from_input: 'task', to: '/input/2/content/1/text' }] } },
        { input: { bindings: [{ from_input: 'task' }, { from: 'step_0', to: '/input/3/content/1/text' }] } },
      ],
    });
    expect(compileSpec(result.workflow)).toMatchObject({ ok: true });
    expect(result.plugin).toEqual(withoutTask.plugin);
    expect(await compiled(source, { workflowKind: 'workflow.v0' })).toEqual(withoutTask);
    await expect(compiled(source, { workflowKind: 'workflow.v2' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('comes from a folder at a branch, a tag or a commit', async () => {
    const nested = Object.fromEntries(
      Object.entries(pluginTrees.clean).map(([path, text]) => [`plugins/x/${path}`, text]),
    );
    const { source, commit } = publish(nested, 'feature/y');
    for (const ref of ['feature/y', commit]) {
      expect((await compiled(`${source}/plugins/x@${ref}`)).source_ref).toBe(commit);
    }
  });

  it('comes from files, under the name inline', async () => {
    const result = await compiled(pluginTrees.oldSchema);
    expect(result).toMatchObject({ source_ref: 'inline', plugin: { name: 'old' } });
    expect(result.warnings).toContainEqual({ file: 'agents/data-analyst.md', key: 'name', message: 'is missing' });
  });

  it.each(['brokenYaml', 'manifestListed', 'large', 'symlinked', 'toolsLists', 'oldSchema'] as const)(
    'compiles to a plan in the shape %s',
    async (name) => {
      const { source } = publish(pluginTrees[name]);
      expect(compileSpec((await compiled(source)).workflow)).toMatchObject({ ok: true });
    },
  );
});

describe('a skill', () => {
  it('becomes a workflow.v1 with the user’s task as an input', async () => {
    const { source, commit } = publish(pluginTrees.skill);
    const result = await compiled(source, { kind: 'skill' });
    expect(result).toMatchObject({
      source_ref: commit,
      skill: { name: 'report-writing', description: 'Writes reports', agents: ['author', 'researcher'] },
      workflow: { kind: 'workflow.v1', inputs: [{ name: 'task', type: 'string', default: '' }] },
    });
    expect(result.workflow.nodes[0].input.bindings).toEqual([
      { from_input: 'task', pointer: '', to: '/input/2/content/1/text' },
    ]);
    expect(compileSpec(result.workflow)).toMatchObject({ ok: true });
  });

  it('becomes one agent and one node for a lone SKILL.md, without a model call', async () => {
    const files = { 'SKILL.md': '---\nname: haiku\ndescription: Writes haiku\n---\nWrite a haiku.' };
    const result = await compiled(files, { kind: 'skill', model: 'sandbox/echo-1' });
    expect(result).toMatchObject({
      skill: { name: 'haiku', agents: ['haiku'] },
      warnings: [{ file: 'SKILL.md', key: 'commands' }],
      workflow: { kind: 'workflow.v1', nodes: [{ id: 'entry' }], outputs: [{ name: 'entry', from: 'entry' }] },
    });
    expect(result.workflow.nodes[0].input.request).toMatchObject({
      model: 'sandbox/echo-1',
      input: [
        { role: 'system', content: [{ text: 'Write a haiku.' }] },
        { role: 'user' },
        { role: 'user', content: [{ text: 'The task of the user:' }, { text: '' }] },
      ],
    });
    expect(compileSpec(result.workflow)).toMatchObject({ ok: true });
    expect(inference.calls).toEqual([]);
  });

  it('compiles from files', async () => {
    expect((await compiled(pluginTrees.skill, { kind: 'skill' })).source_ref).toBe('inline');
  });
});

describe('the same input', () => {
  it('returns the same bytes without another model call or download', async () => {
    const { source, repository, commit } = publish(pluginTrees.clean);
    const first = await compileToBytes(source);
    inference.reply = () => ({ text: 'something else' });
    expect(await compileToBytes(source)).toBe(first);
    expect(await compileToBytes(`${source}@${commit}`)).toBe(first);
    expect(inference.calls).toHaveLength(1);
    expect(listRequests(repository).filter(({ path }) => path.includes('tar.gz'))).toHaveLength(1);
    // A commit id needs no resolution.
    expect(listRequests(repository)).toHaveLength(3);
  });

  it('compiles to the same bytes in any order of files', async () => {
    const entries = Object.entries({ ...pluginTrees.clean, 'x.md': 'order' });
    const first = await compileToBytes(Object.fromEntries(entries));
    expect(await compileToBytes(Object.fromEntries(entries.reverse()))).toBe(first);
  });

  it('survives a restart', async () => {
    const { source } = publish(pluginTrees.clean);
    const first = await compileToBytes(source);
    await service.stop();
    service = await start({ SANDBOX_PROVIDER: '1' });
    expect(await compileToBytes(source)).toBe(first);
  });

  it('costs one fetch and one model call under concurrent requests', async () => {
    const { source, repository } = publish(pluginTrees.clean);
    const answers = await Promise.all(Array.from({ length: 5 }, () => compileToBytes(source)));
    expect(new Set(answers).size).toBe(1);
    expect(listRequests(repository).filter(({ path }) => path.includes('tar.gz'))).toHaveLength(1);
    expect(inference.calls).toHaveLength(1);
  });

  it('compiles for the other concurrent requests when the first request fails', async () => {
    const { source } = publish(pluginTrees.clean);
    const broken = new AppError('PROVIDER_ERROR', 'broken', { retryable: false });
    inference.reply = (call) => (inference.calls.length === 1 ? { error: broken } : { text: draftFor(call.body) });
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => compileToBytes(source)));
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(inference.calls).toHaveLength(2);
  });

  it('returns the first stored result when it was compiled twice', async () => {
    const kept = { key: randomUUID(), projectId: randomUUID(), now: new Date() };
    expect(await keepCompiled(database.pool, { ...kept, result: 'first' })).toBe('first');
    expect(await keepCompiled(database.pool, { ...kept, result: 'second' })).toBe('first');
    expect(await findCompiled(database.pool, kept.key, new Date())).toBe('first');
  });

  it('differs by model, kind, commit and project', async () => {
    const { repository, source } = publish(pluginTrees.skill);
    await compileToBytes(source);
    await compileToBytes(source, { model: 'other' });
    await compileToBytes(source, { kind: 'skill' });
    await compileToBytes(source, { principal: secretKey(OTHER_PROJECT) });
    github.push(repository, { ...pluginTrees.skill, 'agents/new.md': '---\nname: new\n---\nNew' });
    expect((await compiled(source)).plugin.agents).toHaveLength(3);
    expect(inference.calls).toHaveLength(5);
  });

  it('loses its stored result when it is unused for a long time', async () => {
    const { source } = publish(pluginTrees.clean);
    await compileToBytes(source);
    const count = async () =>
      Number((await database.pool.query('SELECT count(*) AS n FROM compiled_sources')).rows[0].n);
    const before = await count();
    await deleteUnusedCompiled(database.pool, new Date(0), 500);
    expect(await count()).toBe(before);
    await deleteUnusedCompiled(database.pool, new Date(Date.now() + 1_000), 500);
    expect(await count()).toBe(0);
  });
});

describe('the model', () => {
  it('receives the faults of its answers, each call under a separate hold of the caller', async () => {
    const bad = [
      'no JSON',
      JSON.stringify({ steps: [{ id: 'a', agent: 'code-explorer', task: 't', after: ['gone'] }] }),
      JSON.stringify({ steps: [{ id: 'a', agent: 'missing', task: 't', after: [] }] }),
      JSON.stringify({ steps: [{ id: 'Not An Id', agent: 'code-explorer', task: 't', after: [] }] }),
    ];
    inference.reply = (call) => ({ text: bad[inference.calls.length - 1] ?? draftFor(call.body) });
    const admittedBefore = billing.admitted.length;
    const result = await compiled({ ...pluginTrees.clean, 'x.md': 'feedback' }, { maxAttempts: 5 });
    expect(compileSpec(result.workflow)).toMatchObject({ ok: true });
    expect(inference.calls).toHaveLength(5);
    const admitted = billing.admitted.slice(admittedBefore);
    expect(new Set(admitted.map(({ req }) => req.holdId)).size).toBe(5);
    expect(admitted.every(({ projectId }) => projectId === secretKey().projectId)).toBe(true);
    expect([...billing.open]).toEqual([]);
    const prompts = inference.calls.map(({ prompt }) => prompt);
    expect(prompts[0]).toBe('Write the workflow.');
    expect(prompts[1]).toContain('the answer is not JSON');
    expect(prompts[2]).toContain('no node gone');
    expect(prompts[3]).toContain('there is no agent missing');
    expect(prompts[4]).toContain('/nodes/0/id');
    const last = inference.calls[4]!.body;
    expect(last.input.map(({ role }) => role)).toEqual([
      'system',
      ...Array(5).fill(['user', 'assistant']).flat().slice(0, 9),
    ]);
    expect(last).toMatchObject({ temperature: 0, output_format: { type: 'json_schema' } });
  });

  it.each([1, 3, 5])(
    'gets at most %i calls, then the request fails with the reason and nothing is stored',
    async (maxAttempts) => {
      inference.reply = () => ({ text: 'nonsense' });
      const files = { ...pluginTrees.clean, 'x.md': `attempts ${maxAttempts}` };
      await expect(compileToBytes(files, { maxAttempts })).rejects.toMatchObject({
        code: 'generation_failed',
        message: expect.stringContaining('the answer is not JSON'),
      });
      expect(inference.calls).toHaveLength(maxAttempts);
      inference.reply = (call) => ({ text: draftFor(call.body) });
      expect((await compiled(files)).source_ref).toBe('inline');
    },
  );

  it('receives no further call after a refusal or an error', async () => {
    const files = { ...pluginTrees.clean, 'x.md': 'refused' };
    billing.decide = () => ({ code: 'PROVIDER_ACCOUNT_UNFUNDED', message: 'no funds' });
    await expect(compileToBytes(files)).rejects.toMatchObject({ code: 'PROVIDER_ACCOUNT_UNFUNDED', status: 402 });
    expect(inference.calls).toHaveLength(0);
    billing.decide = () => undefined;
    inference.reply = () => ({ error: new AppError('PROVIDER_ERROR', 'down', { upstreamStatus: 500 }) });
    await expect(compileToBytes(files)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    expect(inference.calls).toHaveLength(1);
  });

  it('comes from the request, otherwise from the default or the customer’s tier', async () => {
    const readLastModel = () => billing.admitted.at(-1)?.req.model;
    await compileToBytes({ ...pluginTrees.clean, 'x.md': '1' }, { model: 'openai/x' });
    expect(readLastModel()).toBe('openai/x');
    await compileToBytes({ ...pluginTrees.clean, 'x.md': '2' });
    expect(readLastModel()).toBe('sandbox/echo-1');
    const { workflow } = await compiled(
      { ...pluginTrees.clean, 'x.md': '3' },
      { principal: secretKey(undefined, CUSTOMER) },
    );
    expect([readLastModel(), workflow.nodes[0].input.request.model]).toEqual(['', undefined]);
  });
});

describe('errors', () => {
  const noManifest = (kind: 'plugin' | 'skill') => compileToBytes(publish(pluginTrees.noManifest).source, { kind });

  it('rejects a request without source and files with source_or_files_required', async () => {
    const call = callAs();
    for (const input of [undefined, { maxAttempts: 3 }]) {
      const request = input ? { input } : {};
      await expect(compile.compilePlugin(request, call)).rejects.toMatchObject({ code: 'source_or_files_required' });
      await expect(compile.compileSkill(request, call)).rejects.toMatchObject({ code: 'source_or_files_required' });
    }
  });

  it('rejects an invalid source with invalid_source before any request to GitHub', async () => {
    const before = github.requests.length;
    for (const source of ['', 'github:x', 'github:o/r/../s', 'https://github.com/o/r', 'github:o/r@a..b']) {
      await expect(compileToBytes(source)).rejects.toMatchObject({ code: 'invalid_source', status: 400 });
    }
    expect(github.requests.length).toBe(before);
  });

  it('rejects a missing repository, ref, path or manifest with plugin_not_found or skill_not_found', async () => {
    const { source } = publish(pluginTrees.clean, 'trunk');
    for (const missing of [
      'github:nobody/nothing',
      source,
      `${source}@gone`,
      `${source}/elsewhere@trunk`,
      `${source}@${'0'.repeat(40)}`,
    ]) {
      await expect(compileToBytes(missing)).rejects.toMatchObject({ code: 'plugin_not_found', status: 404 });
      await expect(compileToBytes(missing, { kind: 'skill' })).rejects.toMatchObject({ code: 'skill_not_found' });
    }
    await expect(noManifest('plugin')).rejects.toMatchObject({ code: 'plugin_not_found' });
    await expect(noManifest('skill')).rejects.toMatchObject({ code: 'skill_not_found' });
  });

  it('rejects invalid files and sources with parse_failed, without a model call', async () => {
    await expect(compileToBytes(pluginTrees.noManifest)).rejects.toMatchObject({ code: 'parse_failed', status: 422 });
    await expect(compileToBytes({})).rejects.toMatchObject({ code: 'parse_failed' });
    for (const name of [
      'commandOnly',
      'skillsOnly',
      'huge',
      'escapingLink',
      'duplicateNames',
      'badPaths',
      'hostileArchive',
      'brokenManifest',
    ] as const) {
      await expect(compileToBytes(publish(pluginTrees[name]).source)).rejects.toMatchObject({ code: 'parse_failed' });
    }
    expect(inference.calls).toEqual([]);
  });

  it('rejects paths that lead outside and attempts out of range with VALIDATION_ERROR', async () => {
    await expect(compileToBytes({ '../a.md': '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const maxAttempts of [0, 6]) {
      await expect(compileToBytes(pluginTrees.clean, { maxAttempts })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it.each([
    [403, { 'x-ratelimit-remaining': '0' }, 3_600, [1_800, 3_601]],
    [429, { 'retry-after': '30' }, undefined, [30, 30]],
    [403, { 'retry-after': '7' }, undefined, [7, 7]],
    [429, {}, undefined, [60, 60]],
  ] as const)(
    'rejects with rate_limited when GitHub answers %i %j, reset in %s s',
    async (status, named, reset, [least, most]) => {
      for (const path of [/\/commits\//, /tar\.gz/]) {
        const { source } = publish(pluginTrees.clean);
        const resetsAt = reset && { 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + reset) };
        github.answerNext(path, { status, headers: { ...named, ...resetsAt }, body: '{}' });
        const error = await compileToBytes(source).catch((thrown: AppError) => thrown);
        expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryable: true });
        expect((error as AppError).retryAfterSeconds).toBeGreaterThanOrEqual(least);
        expect((error as AppError).retryAfterSeconds).toBeLessThanOrEqual(most);
      }
    },
  );

  it('rejects with rate_limited when only the body of the answer names a secondary limit', async () => {
    const { source } = publish(pluginTrees.clean);
    const body =
      '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}';
    github.answerNext(/\/commits\//, { status: 403, headers: { 'x-ratelimit-remaining': '14' }, body });
    await expect(compileToBytes(source)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
  });

  it('rejects with plugin_not_found when GitHub answers 403 without a rate limit', async () => {
    const { source } = publish(pluginTrees.clean);
    github.answerNext(/\/commits\//, { status: 403, headers: { 'x-ratelimit-remaining': '40' } });
    await expect(compileToBytes(source)).rejects.toMatchObject({ code: 'plugin_not_found' });
  });

  it.each([500, 502, 401])(
    'rejects with SERVICE_UNAVAILABLE when GitHub answers %i, and compiles on the next request',
    async (status) => {
      const { source } = publish(pluginTrees.clean);
      github.answerNext(/\/commits\//, { status });
      await expect(compileToBytes(source)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
      expect((await compiled(source)).plugin.name).toBe('feature-work');
    },
  );

  it('rejects a caller without a secret key with FORBIDDEN', async () => {
    for (const principal of [customerToken(), { ...secretKey(), kind: PrincipalKind.OWNER }]) {
      await expect(compileToBytes(pluginTrees.clean, { principal })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('GitHub', () => {
  it('fetches many sources concurrently within its limit', async () => {
    const sources = Array.from({ length: 6 }, () => publish(pluginTrees.clean).source);
    const plugins = await Promise.all(sources.map((source) => compiled(source)));
    expect(plugins.map(({ plugin }) => plugin.name)).toEqual(Array(6).fill('feature-work'));
  });

  it('receives the token at the REST endpoint only', async () => {
    const { source, repository } = publish(pluginTrees.clean);
    await compileToBytes(source);
    const [commit, archive] = listRequests(repository);
    expect(commit?.headers).toMatchObject({ authorization: 'Bearer a-token', accept: 'application/vnd.github.sha' });
    expect(archive?.headers.authorization).toBeUndefined();
    expect(archive?.headers['user-agent']).toBe('tollgate');
  });

  it('reads a commit from JSON, and follows redirects on the same host only', async () => {
    const { source, repository, commit } = publish(pluginTrees.clean);
    const old = `github:${repository.replace('owner', 'former')}`;
    const location = `${github.apiUrl}/repos/${repository}/commits/main`;
    github.answerNext(/former.*commits/, { status: 301, headers: { location } });
    github.answerNext(/former.*tar/, {
      status: 302,
      headers: { location: `/codeload/${repository}/tar.gz/${commit}` },
    });
    expect((await compiled(old)).source_ref).toBe(commit);
    github.answerNext(/commits/, { status: 200, body: JSON.stringify({ sha: commit }) });
    expect((await compiled(source, { model: 'm' })).source_ref).toBe(commit);
    github.answerNext(/commits/, { status: 301, headers: { location: 'https://example.com/' } });
    await expect(compileToBytes(source, { model: 'n' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
