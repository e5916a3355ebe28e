import { ToolHookService } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { checkToolBindings } from '../operations/tool-hooks/check-tool-bindings.js';
import { runToolHooks } from '../operations/tool-hooks/run-tool-hooks.js';
import { testToolHook } from '../operations/tool-hooks/test-tool-hook.js';
import {
  createToolHook,
  requireToolHook,
  toolHookNotFound,
  updateToolHook,
} from '../operations/tool-hooks/tool-hooks.js';
import { selectToolHookEvents } from '../store/tool-hook-events.js';
import { markToolHookDeleted, selectToolHooks } from '../store/tool-hooks.js';
import { readPage, toPage } from './paging.js';
import { requireManagedProject, requireOwnedProject } from './require-project.js';
import { toToolCall } from './to-tool-call.js';
import { phaseAnswerToProto, toolHookEventToProto, toolHookToProto } from './tool-hook-mapping.js';

export function toolHookService(ctx: Context): Registration {
  return register(ToolHookService, {
    async createToolHook(req, call) {
      const { hook, signingSecret } = await createToolHook(ctx, requireOwnedProject(call), req);
      return { hook: toolHookToProto(hook), signingSecret };
    },
    async getToolHook({ id }, call) {
      return { hook: toolHookToProto(await requireToolHook(ctx, requireOwnedProject(call), id)) };
    },
    async listToolHooks(req, call) {
      const projectId = requireOwnedProject(call);
      const { rows, hasMore } = await readPage(toPage(req), (page) => selectToolHooks(ctx.pool, projectId, page));
      return { hooks: rows.map(toolHookToProto), hasMore };
    },
    async updateToolHook({ id, toolsAllowlist, ...rest }, call) {
      const command = { ...rest, toolsAllowlist: toolsAllowlist?.tools };
      const { hook, signingSecret } = await updateToolHook(ctx, requireOwnedProject(call), id, command);
      return { hook: toolHookToProto(hook), signingSecret: signingSecret ?? '' };
    },
    async deleteToolHook({ id }, call) {
      const isDeleted = await markToolHookDeleted(ctx.pool, requireOwnedProject(call), id, ctx.clock.now());
      if (!isDeleted) throw toolHookNotFound();
      return {};
    },
    async testToolHook({ id }, call) {
      return await testToolHook(ctx, requireOwnedProject(call), id, call.signal);
    },
    async listToolHookEvents(req, call) {
      const hook = await requireToolHook(ctx, requireOwnedProject(call), req.id);
      const { rows, hasMore } = await readPage(toPage(req), (page) => selectToolHookEvents(ctx.pool, hook.id, page));
      return { events: rows.map(toolHookEventToProto), hasMore };
    },
    async runToolHooks(req, call) {
      return phaseAnswerToProto(await runToolHooks(ctx, toToolCall(req, call), req.hookId || undefined, call.signal));
    },
    async checkToolBindings({ bindings }, call) {
      return { faults: await checkToolBindings(ctx, requireManagedProject(call), bindings) };
    },
  });
}
