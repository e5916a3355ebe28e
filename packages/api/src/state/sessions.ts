import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { pageQuery } from '../values/paging.js';

/** Bounds of a session. */
export const sessionLimits = {
  /** Compact JSON in UTF-8, without the state of the tools. */
  metadataBytes: 10_240,
  /** JSON of one message's content. */
  contentBytes: 1_048_576,
  messages: 10_000,
  /** JSON of all contents together: a session is read as a whole. */
  messageBytes: 16_777_216,
} as const;

/** Who speaks in a session's message. */
export const sessionRoles = ['system', 'user', 'assistant', 'tool'] as const;

const metadata = jsonObject;

/** Text, or content parts as in a responses request; other parts are stored unchanged. */
const content = z.union([z.string().min(1), z.array(z.looseObject({ type: z.string().min(1) })).min(1)]);

/** `POST /sessions`; a secret key may name the customer that the session belongs to. */
export const createSessionBody = z.object({ customer_id: z.guid().nullish(), metadata: metadata.nullish() });

/** `PATCH /sessions/{id}`: keys are merged, null removes one. */
export const updateSessionBody = z.object({ metadata });

/** `POST /sessions/{id}/messages` */
export const appendSessionMessageBody = z.object({
  role: z.enum(sessionRoles),
  content,
  run_id: z.guid().nullish(),
});

/** `GET /sessions` */
export const listSessionsQuery = pageQuery(50, 100);

/** Answer record of a session without its messages. */
export const sessionSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  customer_id: z.guid().optional(),
  metadata,
  message_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Answer record of a message. `seq` is 1, 2, 3 … without gap. */
export const sessionMessageSchema = z.object({
  id: z.guid(),
  seq: z.int(),
  role: z.enum(sessionRoles),
  content,
  run_id: z.guid().optional(),
  created_at: z.iso.datetime(),
});

/** Answer of `GET /sessions/{id}`. */
export const sessionWithMessagesSchema = sessionSchema.extend({ messages: z.array(sessionMessageSchema) });

export const listSessionsResponse = z.object({ sessions: z.array(sessionSchema), next_cursor: z.string().optional() });
