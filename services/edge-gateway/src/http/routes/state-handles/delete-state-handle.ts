import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

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
