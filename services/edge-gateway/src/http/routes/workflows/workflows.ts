import {
  compileWorkflowResponse,
  lintWorkflowResponse,
  runEventJsonSchema,
  workflowBody,
  workflowJsonSchema,
} from '@tollgate/api/runs';
import { lazy, parseExactJson } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { findUnknownModels, refuseUnknownModels } from './unknown-models.js';

export const lintWorkflow = defineRoute({
  method: 'POST',
  path: '/workflows/lint',
  tag: 'Workflows',
  summary: 'List all issues of a workflow spec',
  operationId: 'lintWorkflow',
  description: 'Answers 200 for a spec with faults, too: `valid` is false and `issues` lists them.',
  auth: ['secret_key'],
  body: workflowBody,
  bodyClass: 'documents',
  success: { status: 200, schema: lintWorkflowResponse },
  async handler({ body, rawBody, call }, ctx) {
    const specJson = rawBody.length === 0 ? EMPTY_SPEC : rawBody;
    const found = await ctx.clients.workflow.lintWorkflow({ specJson }, call);
    const issues = [
      ...found.issues.map(({ code, path, message }) => ({ code, path, message })),
      ...findUnknownModels(ctx.catalog, body),
    ];
    return { body: { valid: issues.length === 0, issues } };
  },
});

export const compileWorkflow = defineRoute({
  method: 'POST',
  path: '/workflows/compile',
  tag: 'Workflows',
  summary: 'Compile a workflow spec; its plan_hash can start runs',
  operationId: 'compileWorkflow',
  description: 'Answers with the plan and its hash. A spec with faults is refused with all of them.',
  auth: ['secret_key'],
  body: workflowBody,
  bodyClass: 'documents',
  success: { status: 200, schema: compileWorkflowResponse },
  async handler({ body, rawBody, call }, ctx) {
    const specJson = rawBody.length === 0 ? EMPTY_SPEC : rawBody;
    await refuseUnknownModels(ctx, { value: body, json: specJson }, call);
    const { planJson, planHash } = await ctx.clients.workflow.compileWorkflow({ specJson }, call);
    return { body: { plan_json: parseExactJson(Buffer.from(planJson).toString('utf8')), plan_hash: planHash } };
  },
});

const workflowSchema = lazy(workflowJsonSchema);

export const getWorkflowSchema = defineRoute({
  method: 'GET',
  path: '/schemas/workflow.schema.json',
  tag: 'Workflows',
  summary: 'Get the JSON Schema of workflow specs',
  operationId: 'getWorkflowSchema',
  description: 'For editors that complete and check specs.',
  auth: 'none',
  success: { status: 200, schema: z.looseObject({}) },
  async handler() {
    return { body: workflowSchema() };
  },
});

const runEventSchema = lazy(runEventJsonSchema);

export const getRunEventSchema = defineRoute({
  method: 'GET',
  path: '/schemas/run_event.schema.json',
  tag: 'Workflows',
  summary: 'Get the JSON Schema of run events',
  operationId: 'getRunEventSchema',
  description: 'For readers of the event stream.',
  auth: 'none',
  success: { status: 200, schema: z.looseObject({}) },
  async handler() {
    return { body: runEventSchema() };
  },
});

/** An empty body counts as an empty object, as for every route. */
const EMPTY_SPEC = Buffer.from('{}');
