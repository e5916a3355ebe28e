import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { notFound, requireFound } from '../operations/not-found.js';
import { readPage } from '../operations/page.js';
import { createStateHandle } from '../operations/state/create-state-handle.js';
import { deleteStateHandle, findStateHandle, listStateHandles } from '../store/state-handles.js';
import { readHandleState } from '../store/tool-states.js';
import { stateHandleToProto } from './mapping.js';
import { requireScope } from './require-scope.js';

export function stateService(ctx: Context): Registration {
  const { pool, clock } = ctx;
  return register(StateService, {
    async createStateHandle({ ttlSeconds }, call) {
      return { handle: stateHandleToProto(await createStateHandle(ctx, requireScope(call), ttlSeconds)) };
    },
    async getStateHandle({ id }, call) {
      const handle = requireFound(await findStateHandle(pool, requireScope(call), id, clock.now()), 'state handle');
      const { kv, tasks } = await readHandleState(pool, handle.id);
      return { handle: stateHandleToProto(handle), values: kv, tasksJson: JSON.stringify(tasks) };
    },
    async listStateHandles(req, call) {
      const scope = requireScope(call);
      const { rows, hasMore } = await readPage(req, (page) => listStateHandles(pool, scope, clock.now(), page));
      return { handles: rows.map(stateHandleToProto), hasMore };
    },
    async deleteStateHandle({ id }, call) {
      if (!(await deleteStateHandle(pool, requireScope(call), id, clock.now()))) throw notFound('state handle');
      return {};
    },
  });
}
