// Sessions and state handles, SQL statements checked by a profile, and plugins and skills compiled to workflows,
// as users use them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeGithub, pluginTrees, startFakeGithub, waitUntil } from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type System, startSystem, type TestProject } from '../system/start-system.js';
import { START_MS } from '../system/use-system.js';

describe('sessions, SQL and compilation', () => {
  let github: FakeGithub;
  let system: System;
  let project: TestProject;

  beforeAll(async () => {
    github = await startFakeGithub();
    const env = { GITHUB_API_URL: github.apiUrl, GITHUB_CODELOAD_URL: github.codeloadUrl };
    system = await startSystem({ mode: 'one process', env });
    project = await system.project();
  }, START_MS);

  afterAll(async () => {
    await system?.stop();
    await github?.stop();
  });

  async function waitForEnd(runId: string) {
    const ended = async () => {
      const snapshot = must(await project.api.get(`/runs/${runId}`), 200);
      return snapshot.status !== 'running' && snapshot;
    };
    return waitUntil(ended, { timeoutMs: 60_000, what: 'the end of the run' });
  }

  it('keeps messages and metadata of a session for its customer and its project only', async () => {
    const ann = await project.customerOn('free');
    const bob = await project.customerOn('free');
    const { id } = must(await project.api.post('/sessions', { customer_id: ann.id, metadata: { topic: 'rain' } }), 201);
    const said = Array.from({ length: 8 }, (_, i) =>
      ann.api.post(`/sessions/${id}/messages`, { role: 'user', content: `${i}` }),
    );
    for (const answer of await Promise.all(said)) must(answer, 201);
    must(await ann.api.patch(`/sessions/${id}`, { metadata: { topic: null, mood: 'calm' } }), 200);
    const read = must(await project.api.get(`/sessions/${id}`), 200);
    expect(read).toMatchObject({ customer_id: ann.id, metadata: { mood: 'calm' }, message_count: 8 });
    expect(read.messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    must(await bob.api.get(`/sessions/${id}`), 404);
    must(await ann.api.delete(`/sessions/${id}`), 403);
    expect(must(await ann.api.post(`/sessions/${id}/clear`, {}), 200).message_count).toBe(0);
    must(await project.api.delete(`/sessions/${id}`), 204);
    expect(must(await ann.api.get('/sessions'), 200)).toEqual({ sessions: [] });
  });

  it('limits or refuses a statement by a SQL profile of the project', async () => {
    const policy = {
      dialect: 'postgres',
      read_only: true,
      tables: { allowlist: ['orders', 'users'] },
      columns: { hidden: ['users.password'] },
      limits: { default_limit: 50, max_limit: 200, timeout_ms: 2_000 },
    };
    const path = `/projects/${project.id}/sql-profiles`;
    const { profile } = must(await project.owner.post(path, { name: 'Reports', policy }), 201);
    const validate = (sql: string) => project.api.post('/sql/validate', { sql, profile_id: profile.id });
    expect(must(await validate('select o.id from orders o join users u on u.id = o.user_id'), 200)).toEqual({
      valid: true,
      normalized_sql: 'SELECT o.id FROM orders o JOIN users u ON u.id = o.user_id LIMIT 50',
      read_only: true,
      tables: ['orders', 'users'],
      limit: 50,
      timeout_ms: 2_000,
    });
    for (const sql of [
      'select password from users',
      'delete from orders',
      'select 1; select 2',
      'select * from secrets',
    ]) {
      expect(must(await validate(sql), 400).message).toMatch(/^the statement is refused: /);
    }
  });

  it('compiles a plugin from GitHub to a workflow that runs, the same one for the same commit', async () => {
    const commit = github.push('acme/plugins', pluginTrees.clean);
    const body = { source: 'github:acme/plugins', model: SANDBOX_MODEL };
    const first = await project.api.post('/plugins/compile', body);
    const { workflow, plugin, source_ref } = must(first, 200);
    expect([plugin.name, source_ref]).toEqual(['feature-work', commit]);
    expect((await project.api.post('/plugins/compile', { ...body, source: `${body.source}@${commit}` })).text).toBe(
      first.text,
    );
    const run = must(await project.api.post('/runs', { spec: workflow }), 200);
    const ended = await waitForEnd(run.run_id);
    expect(ended.status).toBe('succeeded');
    expect((await project.verify()).differences).toEqual([]);
  });

  it('compiles a plugin to a workflow that takes the task as its input, where the caller asks for it', async () => {
    const body = { files: pluginTrees.clean, model: SANDBOX_MODEL, workflow_kind: 'workflow.v1' };
    const { workflow } = must(await project.api.post('/plugins/compile', body), 200);
    const run = must(await project.api.post('/runs', { spec: workflow, input: { task: 'rivers' } }), 200);
    const ended = await waitForEnd(run.run_id);
    expect(ended.status).toBe('succeeded');
    expect(JSON.stringify(ended.outputs)).toContain('rivers');
  });

  it('compiles a skill given as files to a workflow that takes the task as its input', async () => {
    const files = pluginTrees.skill;
    const { workflow, skill, source_ref } = must(await project.api.post('/skills/compile', { files }), 200);
    expect([skill.agents, source_ref, workflow.kind]).toEqual([['author', 'researcher'], 'inline', 'workflow.v1']);
    const run = must(await project.api.post('/runs', { spec: workflow, input: { task: 'rivers' } }), 200);
    const ended = await waitForEnd(run.run_id);
    expect(ended.status).toBe('succeeded');
    expect(JSON.stringify(ended.outputs)).toContain('rivers');
  });

  it('returns the reason when a plugin cannot be compiled', async () => {
    const compile = (body: object) => project.api.post('/plugins/compile', body);
    expect(must(await compile({}), 400).code).toBe('source_or_files_required');
    expect(must(await compile({ source: 'github:a/../b' }), 400).code).toBe('invalid_source');
    expect(must(await compile({ source: 'github:nobody/nothing' }), 404).code).toBe('plugin_not_found');
    expect(must(await compile({ files: pluginTrees.duplicateNames }), 422).code).toBe('parse_failed');
    github.push('acme/limited', pluginTrees.clean);
    github.answerNext(/acme\/limited/, { status: 429, headers: { 'retry-after': '5' } });
    expect(must(await compile({ source: 'github:acme/limited' }), 429).code).toBe('rate_limited');
  });
});
