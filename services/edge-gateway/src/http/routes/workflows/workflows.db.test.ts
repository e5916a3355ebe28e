import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { AppError } from '@tollgate/errors';
import request from 'supertest';
import { peer, type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { workflowRouter } from './index.js';

const spec = { kind: 'workflow.v1', nodes: [{ id: 'a', type: 'join.all' }] };
const issues = [{ code: 'CYCLE', path: '/nodes', message: 'a' }];
const hash = 'ab'.repeat(32);

let sent: unknown[] = [];
let found: typeof issues = [];
let harness: RouteTest;

const engine = peer(WorkflowService, {
  compileWorkflow({ specJson }) {
    sent.push(JSON.parse(Buffer.from(specJson).toString()));
    if (found.length > 0) throw new AppError('VALIDATION_ERROR', 'not valid', { issues: found });
    return { planJson: Buffer.from('{"kind":"workflow.v1","nodes":[]}'), planHash: hash };
  },
  lintWorkflow({ specJson }) {
    sent.push(JSON.parse(Buffer.from(specJson).toString()));
    return { issues: found };
  },
});

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [workflowRouter], [engine]);
});
afterAll(() => harness.stop());
beforeEach(() => {
  sent = [];
  found = [];
});

function post(path: string, body: object, credential = harness.tenant.secretKey) {
  const sending = request(harness.app).post(`/api/v1${path}`);
  if (credential !== '') void sending.set('Authorization', `Bearer ${credential}`);
  return sending.send(body);
}

describe('200', () => {
  it('compiles a bare spec to its plan and hash', async () => {
    const res = await post('/workflows/compile', spec);
    expect([res.status, res.body]).toEqual([200, { plan_json: { kind: 'workflow.v1', nodes: [] }, plan_hash: hash }]);
    expect(sent).toEqual([spec]);
  });

  it('lints a spec, good or bad', async () => {
    expect((await post('/workflows/lint', spec)).body).toEqual({ valid: true, issues: [] });
    found = issues;
    const res = await post('/workflows/lint', spec);
    expect([res.status, res.body]).toEqual([200, { valid: false, issues }]);
  });

  it.each(['workflow', 'run_event'])('serves the JSON Schema of %s without a credential', async (name) => {
    const res = await request(harness.app).get(`/api/v1/schemas/${name}.schema.json`);
    expect(res.status).toBe(200);
    expect(res.body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: expect.any(String),
    });
  });
});

describe('400', () => {
  it('lists every issue of a spec that does not compile', async () => {
    found = issues;
    const res = await post('/workflows/compile', spec);
    expect([res.status, res.body.code, res.body.issues]).toEqual([400, 'VALIDATION_ERROR', issues]);
  });
});

describe('401, 403', () => {
  it.each(['/workflows/compile', '/workflows/lint'])('accepts only secret keys on %s', async (path) => {
    expect((await post(path, spec, '')).status).toBe(401);
    for (const credential of [harness.tenant.publishableKey, harness.tenant.customerToken, harness.tenant.ownerToken]) {
      expect((await post(path, spec, credential)).status).toBe(403);
    }
    expect(sent).toEqual([]);
  });
});
