import { createStateHandleBody, stateHandleSchema } from '@tollgate/api/state';
import { defineRoute } from '../../exchange/route.js';
import { stateHandleJson } from './render.js';

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
