import { z } from 'zod';
import { pageQuery } from '../values/paging.js';

/** One year. */
export const STATE_HANDLE_TTL_SECONDS_MAX = 31_536_000;

/** `POST /state-handles`; without a TTL the handle lives until it is deleted. */
export const createStateHandleBody = z.object({
  ttl_seconds: z.number().int().min(1).max(STATE_HANDLE_TTL_SECONDS_MAX).nullish(),
});

/** `GET /state-handles` */
export const listStateHandlesQuery = pageQuery(50, 100);

/** Answer record of a state handle. */
export const stateHandleSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  customer_id: z.guid().optional(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().optional(),
});

/** `GET /state-handles/{id}`: the handle with what tools have stored under it. */
export const stateHandleDataResponse = z.object({
  state_handle: stateHandleSchema,
  kv: z.record(z.string(), z.string()),
  tasks: z.array(z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

export const listStateHandlesResponse = z.object({
  state_handles: z.array(stateHandleSchema),
  next_cursor: z.string().optional(),
});
