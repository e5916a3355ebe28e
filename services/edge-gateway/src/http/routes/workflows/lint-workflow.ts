import { lintWorkflowResponse, workflowBody } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { EMPTY_SPEC } from './empty-spec.js';
import { findUnknownModels } from './unknown-models.js';

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
