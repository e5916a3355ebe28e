import { runSnapshotSchema } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';
import { snapshotJson } from './run-json.js';

export const cancelRun = defineRoute({
  method: 'POST',
  path: '/runs/:id/cancel',
  tag: 'Runs',
  summary: 'Cancel a run',
  operationId: 'cancelRun',
  description: 'Nodes that run are stopped; what they have used is charged. A run that has ended stays as it is.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: runSnapshotSchema },
  refusals: [409],
  async handler({ params, call }, ctx) {
    const { run } = await ctx.clients.workflow.cancelRun({ runId: params.id.toLowerCase() }, call);
    return { body: snapshotJson(run) };
  },
});
