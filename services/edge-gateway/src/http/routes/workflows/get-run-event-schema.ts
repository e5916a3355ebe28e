import { runEventJsonSchema } from '@tollgate/api/runs';
import { lazy } from '@tollgate/runtime';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

const schema = lazy(runEventJsonSchema);

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
    return { body: schema() };
  },
});
