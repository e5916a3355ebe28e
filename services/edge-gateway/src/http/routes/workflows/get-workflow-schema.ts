import { workflowJsonSchema } from '@tollgate/api/runs';
import { lazy } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

const schema = lazy(workflowJsonSchema);

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
    return { body: schema() };
  },
});
