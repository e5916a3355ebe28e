import { compileWorkflowResponse, workflowBody } from '@tollgate/api';
import { defineRoute } from '../../route.js';

export const compileWorkflow = defineRoute({
  method: 'POST',
  path: '/workflows/compile',
  tag: 'Workflows',
  summary: 'Compile a workflow spec; its plan_hash can start runs',
  auth: ['secret_key'],
  body: workflowBody,
  bodyClass: 'documents',
  success: { status: 200, schema: compileWorkflowResponse },
  async handler({ body, call }, ctx) {
    const specJson = Buffer.from(JSON.stringify(body ?? null));
    const { planJson, planHash } = await ctx.clients.workflow.compileWorkflow({ specJson }, call);
    return { body: { plan_json: JSON.parse(Buffer.from(planJson).toString('utf8')), plan_hash: planHash } };
  },
});
