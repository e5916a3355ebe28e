import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompileService } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError, type ErrorCode } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { pluginRouter } from './index.js';

/** Formatted unlike any serializer's output, to detect reserialization. */
const resultJson = Buffer.from('{ "workflow":{},\n"compiled_at": "x" }');

let asked: { method: string; req: object; workflowKind?: string; projectId: string | undefined }[] = [];
let refusal: AppError | undefined;
let harness: RouteTest;

const answering = (method: string) => (req: object, call: Call) => {
  const { input, workflowKind } = JSON.parse(
    JSON.stringify(req, (key, value) => (key === '$typeName' ? undefined : value)),
  );
  asked.push({ method, req: input, workflowKind, projectId: call.principal?.projectId });
  if (refusal) throw refusal;
  return { resultJson };
};

const engine = peer(CompileService, { compilePlugin: answering('plugin'), compileSkill: answering('skill') });

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [pluginRouter], [engine]);
});

afterAll(() => harness.stop());

beforeEach(() => {
  asked = [];
  refusal = undefined;
});

function compile(kind: string, body: object, credential = harness.tenant.secretKey) {
  const sending = request(harness.app).post(`/api/v1/${kind}s/compile`);
  if (credential !== '') void sending.set('Authorization', `Bearer ${credential}`);
  return sending.send(body);
}

describe.each(['plugin', 'skill'])('POST /%ss/compile', (kind) => {
  it('answers 200 with the exact bytes of the engine', async () => {
    const res = await compile(kind, { source: 'github:o/r' });
    expect([res.status, res.text]).toEqual([200, resultJson.toString()]);
    expect(res.headers['content-type']).toMatch(/^application\/json/);
    const req = { from: { case: 'source', value: 'github:o/r' }, model: '', maxAttempts: 3 };
    expect(asked).toMatchObject([{ method: kind, req, projectId: harness.tenant.projectId }]);
  });

  it('answers 200 for files, a model and a number of attempts', async () => {
    const res = await compile(kind, { files: { 'a.md': 'x' }, model: 'm', max_attempts: 5, source: null });
    expect(res.status).toBe(200);
    expect(asked[0]?.req).toEqual({
      from: { case: 'files', value: { contentsByPath: { 'a.md': 'x' } } },
      model: 'm',
      maxAttempts: 5,
    });
  });

  it.each([{}, { source: '' }, { source: null, files: null }, { source: 'github:o/r', files: {} }])(
    'answers 400 source_or_files_required for %j',
    async (body) => {
      const res = await compile(kind, body);
      expect([res.status, res.body.code, asked]).toEqual([400, 'source_or_files_required', []]);
    },
  );

  it.each<[object, string]>([
    [{ source: 5 }, 'source'],
    [{ files: [] }, 'files'],
    [{ files: { 'a.md': 5 } }, 'files.a.md'],
    [{ source: 'x', max_attempts: 6 }, 'max_attempts'],
    [{ source: 'x', max_attempts: 0 }, 'max_attempts'],
    [{ source: 'x', model: '' }, 'model'],
  ])('answers 400 for %j naming %s', async (body, field) => {
    const res = await compile(kind, body);
    expect([res.status, res.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(res.body.fields).toEqual([expect.objectContaining({ field })]);
  });

  it.each<[ErrorCode, number]>([
    ['invalid_source', 400],
    ['plugin_not_found', 404],
    ['skill_not_found', 404],
    ['parse_failed', 422],
    ['generation_failed', 422],
    ['TIER_ALLOWANCE_EXHAUSTED', 402],
  ])('reports %s as %i in the native envelope', async (code, status) => {
    refusal = new AppError(code, 'the reason');
    const res = await compile(kind, { source: 'github:o/r' });
    expect(res.status).toBe(status);
    expect(res.body).toMatchObject({ error: 'api_error', code, message: 'the reason', status_code: status });
  });

  it('answers 429 rate_limited as JSON, with the time to wait', async () => {
    refusal = new AppError('rate_limited', 'the rate limit of GitHub is exceeded', { retryAfterSeconds: 30 });
    const res = await compile(kind, { source: 'github:o/r' });
    expect([res.status, res.headers['retry-after']]).toEqual([429, '30']);
    expect(res.body).toMatchObject({ code: 'rate_limited', retryable: true });
  });

  it('answers 401 and 403 to other credentials than secret keys', async () => {
    const body = { source: 'github:o/r' };
    expect((await compile(kind, body, '')).status).toBe(401);
    for (const credential of ['publishableKey', 'customerToken', 'ownerToken'] as const) {
      expect((await compile(kind, body, harness.tenant[credential])).status).toBe(403);
    }
    expect(asked).toEqual([]);
  });
});

describe('POST /plugins/compile', () => {
  it.each([
    [{}, 'workflow.v0'],
    [{ workflow_kind: 'workflow.v0' }, 'workflow.v0'],
    [{ workflow_kind: 'workflow.v1' }, 'workflow.v1'],
  ])('asks for the kind of workflow in %j', async (member, workflowKind) => {
    expect((await compile('plugin', { source: 'github:o/r', ...member })).status).toBe(200);
    expect(asked).toMatchObject([{ workflowKind }]);
  });

  it('answers 400 for an unknown kind of workflow', async () => {
    const res = await compile('plugin', { source: 'github:o/r', workflow_kind: 'workflow.v2' });
    expect([res.status, res.body.fields]).toEqual([400, [expect.objectContaining({ field: 'workflow_kind' })]]);
  });

  it('accepts only one mode', async () => {
    expect((await compile('plugin', { source: 'github:o/r', mode: 'intent' })).status).toBe(200);
    const res = await compile('plugin', { source: 'github:o/r', mode: 'verbatim' });
    expect([res.status, res.body.fields]).toEqual([400, [expect.objectContaining({ field: 'mode' })]]);
  });
});
