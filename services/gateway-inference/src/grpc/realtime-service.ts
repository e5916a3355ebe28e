import { RealtimeService } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { openSession } from '../operations/realtime/open-session.js';

export function realtimeService(ctx: Context): Registration {
  return register(RealtimeService, {
    openSession: (requests, call) => openSession(ctx, requests, call),
  });
}
