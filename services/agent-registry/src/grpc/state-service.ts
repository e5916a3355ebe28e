import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { createStateHandle } from '../operations/state/create-state-handle.js';
import { deleteStateHandle } from '../operations/state/delete-state-handle.js';
import { getStateHandle } from '../operations/state/get-state-handle.js';
import { listStateHandles } from '../operations/state/list-state-handles.js';
import { stateHandleToProto } from './mapping.js';
import { scopeOf } from './scope-of.js';

export function stateService(ctx: Context): Registration {
  return register(StateService, {
    async createStateHandle({ ttlSeconds }, call) {
      return { handle: stateHandleToProto(await createStateHandle(ctx, scopeOf(call), ttlSeconds)) };
    },
    async getStateHandle({ id }, call) {
      return { handle: stateHandleToProto(await getStateHandle(ctx, scopeOf(call), id)) };
    },
    async listStateHandles(page, call) {
      const { handles, hasMore } = await listStateHandles(ctx, scopeOf(call), page);
      return { handles: handles.map(stateHandleToProto), hasMore };
    },
    async deleteStateHandle({ id }, call) {
      await deleteStateHandle(ctx, scopeOf(call), id);
      return {};
    },
  });
}
