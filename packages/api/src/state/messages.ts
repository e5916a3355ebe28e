import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { pageQuery, queryBoolean } from '../values/paging.js';
import { storableText } from '../values/text.js';

/** Bounds of a message; the body is measured as compact JSON in UTF-8. */
export const messageLimits = { addressLength: 255, subjectLength: 1_000, bodyBytes: 262_144 } as const;

/** `run:<run_id>` or `agent:<slug>@<project_id>`; the service that owns mailboxes checks the form. */
const addressSchema = z.string().min(1).max(messageLimits.addressLength);

/** `POST /messages` */
export const sendMessageBody = z.object({
  to: addressSchema,
  subject: storableText(messageLimits.subjectLength).min(1),
  body: jsonObject,
  thread_id: z.guid().optional(),
  /** Default `agent:api@<project_id>`; a customer may name only that and its own runs. */
  from: addressSchema.optional(),
});

/** `GET /messages`: of a mailbox, a thread, or a thread in a mailbox. */
export const listMessagesQuery = pageQuery(50, 200)
  .extend({ to: addressSchema.optional(), thread_id: z.guid().optional(), unread: queryBoolean.default(true) })
  .refine((query) => query.to !== undefined || query.thread_id !== undefined, {
    path: ['to'],
    message: 'to or thread_id is required',
  });

/** Answer record of a message. */
export const messageSchema = z.object({
  id: z.guid(),
  project_id: z.guid(),
  /** The customer that the message belongs to; absent for a message of the project itself. */
  customer_id: z.guid().optional(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  body: jsonObject,
  thread_id: z.guid(),
  read: z.boolean(),
  read_at: z.iso.datetime().optional(),
  created_at: z.iso.datetime(),
});

export const listMessagesResponse = z.object({
  messages: z.array(messageSchema),
  next_cursor: z.string().optional(),
});

export type SendMessageBody = z.output<typeof sendMessageBody>;
