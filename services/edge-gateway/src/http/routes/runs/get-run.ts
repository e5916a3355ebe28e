import { runSnapshotSchema } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';
import { snapshotJson } from './run-json.js';

export const getRun = defineRoute({
  method: 'GET',
  path: '/runs/:id',
  tag: 'Runs',
  summary: 'Get a snapshot of a run',
  operationId: 'getRun',
  description: 'Has the status and output of every node, and the cost so far.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: runSnapshotSchema },
  async handler({ params, call }, ctx) {
    const { run } = await ctx.clients.workflow.getRun({ runId: params.id.toLowerCase() }, call);
    return { body: snapshotJson(run) };
  },
});
