import { stateHandleDataResponse } from '@tollgate/api/state';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { stateHandleJson } from './render.js';

export const getStateHandle = defineRoute({
  method: 'GET',
  path: '/state-handles/:state_id',
  tag: 'State handles',
  summary: 'Get a state handle with its values and tasks',
  operationId: 'getStateHandle',
  description: 'Returns what the key-value and task tools have stored under the handle.',
  auth: ['secret_key', 'owner', 'customer'],
  params: z.object({ state_id: z.string() }),
  success: { status: 200, schema: stateHandleDataResponse },
  async handler({ params, call }, ctx) {
    const { handle, values, tasksJson } = await ctx.clients.state.getStateHandle({ id: params.state_id }, call);
    return {
      body: { state_handle: stateHandleJson(handle), kv: values, tasks: tasksJson === '' ? [] : JSON.parse(tasksJson) },
    };
  },
});
