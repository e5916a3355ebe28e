import {
  createStateHandleBody,
  listStateHandlesQuery,
  listStateHandlesResponse,
  stateHandleDataResponse,
  stateHandleSchema,
} from '@tollgate/api/state';
import type { StateHandle } from '@tollgate/contracts/agents/v1/state_pb.js';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { customerListRoute } from '../list-route.js';
import { toJson } from '../to-json.js';

export const createStateHandle = defineRoute({
  method: 'POST',
  path: '/state-handles',
  tag: 'State handles',
  summary: 'Create a state handle for the key-value and task tools',
  operationId: 'createStateHandle',
  description: 'Name the handle in model requests, so that their key-value and task tools share their state.',
  auth: ['secret_key', 'owner', 'customer'],
  body: createStateHandleBody,
  success: { status: 201, schema: stateHandleSchema },
  idempotent: true,
  async handler({ body, call }, ctx) {
    const request = body.ttl_seconds == null ? {} : { ttlSeconds: body.ttl_seconds };
    const { handle } = await ctx.clients.state.createStateHandle(request, call);
    return { status: 201, body: stateHandleJson(handle) };
  },
});

export const listStateHandles = customerListRoute({
  path: '/state-handles',
  tag: 'State handles',
  summary: 'List state handles that have not expired, newest first',
  operationId: 'listStateHandles',
  description: 'Returns the handles of the project, or of the customer of the token.',
  query: listStateHandlesQuery,
  response: listStateHandlesResponse,
  field: 'state_handles',
  async read(page, call, { clients }) {
    const { handles, hasMore } = await clients.state.listStateHandles(page, call);
    return { rows: handles.map(stateHandleJson), hasMore };
  },
});

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

export const deleteStateHandle = defineRoute({
  method: 'DELETE',
  path: '/state-handles/:state_id',
  tag: 'State handles',
  summary: 'Delete a state handle',
  operationId: 'deleteStateHandle',
  description: 'Deletes the stored values and tasks.',
  auth: ['secret_key', 'owner', 'customer'],
  params: z.object({ state_id: z.string() }),
  success: { status: 204 },
  async handler({ params, call }, ctx) {
    await ctx.clients.state.deleteStateHandle({ id: params.state_id }, call);
    return { status: 204 };
  },
});

function stateHandleJson(handle: StateHandle | undefined) {
  return toJson(stateHandleSchema, handle!, {});
}
