import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { RealtimeService } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { testConnection } from '../operations/connections/test-connection.js';
import { executeToolCall } from '../operations/execute-tool-call.js';
import { listModels } from '../operations/list-models.js';
import { listRoutes } from '../operations/list-routes.js';
import { openSession } from '../operations/realtime/open-session.js';
import { generate } from '../operations/turn/generate.js';

export function inferenceService(ctx: Context): Registration {
  return register(InferenceService, {
    generate: (req, call) => generate(ctx, req, call),
    listRoutes: () => listRoutes(ctx),
    testConnection: (req, call) => testConnection(ctx, req, call),
    listModels: (req) => ({ modelsJson: Buffer.from(listModels(ctx, req.provider, req.capability)) }),
  });
}

export function toolService(ctx: Context): Registration {
  return register(ToolService, {
    executeTool: (req, call) => executeToolCall(ctx, req, call),
    async listMcpTools({ servers }, call) {
      const { listings } = await ctx.mcpServers.listMcpTools({ servers }, call);
      return { listings };
    },
  });
}

export function realtimeService(ctx: Context): Registration {
  return register(RealtimeService, {
    openSession: (requests, call) => openSession(ctx, requests, call),
  });
}
