import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { cursorQuery, pageQuery, queryBoolean } from '../values/paging.js';
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

/**
 * `GET /messages`: of a mailbox, a thread, or a thread in a mailbox, oldest first. With `sort` or `cursor`: of all mailboxes,
 * newest first, and `next_cursor` is opaque and belongs to `cursor`; else it is the next `offset`.
 */
export const listMessagesQuery = pageQuery(50, 200)
  .extend({
    to: addressSchema.optional(),
    from: addressSchema.optional().describe('needs `sort`'),
    thread_id: z.guid().optional(),
    customer_id: z.guid().optional().describe('needs `sort`'),
    unread: queryBoolean.default(true),
    sort: z.enum(['-created_at']).optional().describe('newest first, of all mailboxes that the other fields allow'),
    cursor: cursorQuery(50, 200).shape.cursor,
  })
  .refine((query) => isSearch(query) || query.to !== undefined || query.thread_id !== undefined, {
    path: ['to'],
    message: 'to, thread_id or sort is required',
  })
  .refine((query) => isSearch(query) || query.from === undefined, { path: ['from'], message: 'needs sort' })
  .refine((query) => isSearch(query) || query.customer_id === undefined, {
    path: ['customer_id'],
    message: 'needs sort',
  })
  .refine((query) => !isSearch(query) || query.offset === 0, {
    path: ['offset'],
    message: 'cannot be used with sort; use cursor',
  });

/** Whether the query asks for messages of all mailboxes, newest first. */
export function isSearch({ sort, cursor }: { sort?: unknown; cursor?: unknown }): boolean {
  return sort !== undefined || cursor !== undefined;
}

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

/** `GET /mailboxes` */
export const listMailboxesQuery = cursorQuery(50, 200).extend({
  unread: queryBoolean.default(false).describe('only mailboxes with unread messages'),
});

export const mailboxSchema = z.object({
  address: z.string(),
  unread_count: z.int().describe('counted up to 1,000'),
  last_message_at: z.iso.datetime(),
  last_subject: z.string(),
});

export const listMailboxesResponse = z.object({
  mailboxes: z.array(mailboxSchema),
  next_cursor: z.string().optional(),
});

export type SendMessageBody = z.output<typeof sendMessageBody>;
