import { listRunTasksResponse } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';
import { parsed } from './run-json.js';

export const listRunTasks = defineRoute({
  method: 'GET',
  path: '/runs/:id/tasks',
  tag: 'Runs',
  summary: 'List the tasks of a run',
  operationId: 'listRunTasks',
  description: 'The task list that the run’s model keeps with its task tools.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  success: { status: 200, schema: listRunTasksResponse },
  async handler({ params, call }, ctx) {
    const { tasksJson } = await ctx.clients.workflow.listRunTasks({ runId: params.id.toLowerCase() }, call);
    return { body: { tasks: parsed(tasksJson) } };
  },
});
