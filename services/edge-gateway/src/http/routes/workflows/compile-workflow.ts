import { compileWorkflowResponse, workflowBody } from '@tollgate/api/runs';
import { parseExactJson } from '@tollgate/runtime';
import { defineRoute } from '../../exchange/route.js';
import { EMPTY_SPEC } from './empty-spec.js';
import { refuseUnknownModels } from './unknown-models.js';

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
