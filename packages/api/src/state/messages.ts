import { z } from 'zod';
import { jsonObject } from '../values/json-object.js';
import { cursorQuery, pageQuery, queryBoolean } from '../values/paging.js';
import { storableText } from '../values/text.js';

/** Digits of a 128-bit number. */
const PLACE_DIGITS = 39;
const OFFSET_MAX = 1_000_000;

/** Bounds of a message; the body is measured as compact JSON in UTF-8. */
export const messageLimits = { addressLength: 255, subjectLength: 1_000, bodyBytes: 262_144 } as const;

/** `run:<run_id>` or `agent:<slug>@<project_id>`; the service that owns mailboxes checks the form. */
const addressSchema = z.string().min(1).max(messageLimits.addressLength);

const AGENT_ADDRESS = /^agent:([A-Za-z0-9][A-Za-z0-9._-]{0,127})@/;
/** Sends messages that name no sender, and receives the replies; no agent has to have this slug. */
const API_SLUG = 'api';

/** Returns the slug of the agent that has the address; undefined for the address of a run or of the project's API. */
export function readAgentSlug(address: string): string | undefined {
  const slug = AGENT_ADDRESS.exec(address)?.[1];
  return slug === API_SLUG ? undefined : slug;
}

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
 * `GET /messages`: of a mailbox, a thread, or a thread in a mailbox, oldest first. With `sort` or a cursor of such a list: of all
 * mailboxes, newest first. `next_cursor` belongs to `cursor`. That of a mailbox or thread has digits only, and works as `offset`, too:
 * it was an offset once.
 */
export const listMessagesQuery = pageQuery(50, 200)
  .extend({
    offset: z
      .string()
      .regex(/^\d{1,39}$/, 'must be a whole number')
      .refine((text) => isPlace(text) || Number(text) <= OFFSET_MAX, `must be at most ${OFFSET_MAX}`)
      .default('0'),
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
  .refine((query) => !isSearch(query) || query.offset === '0', {
    path: ['offset'],
    message: 'cannot be used with sort; use cursor',
  });

/** Whether the query asks for messages of all mailboxes, newest first. */
export function isSearch({ sort, cursor }: { sort?: unknown; cursor?: string | undefined }): boolean {
  return sort !== undefined || (cursor !== undefined && !isPlace(cursor));
}

/** Returns the cursor of a mailbox or thread: the id of a message as a decimal number. */
export function toMessagePlace(id: string): string {
  return BigInt(`0x${id.replaceAll('-', '')}`)
    .toString()
    .padStart(PLACE_DIGITS, '0');
}

/** Returns the offset or the id of a message where a page of a mailbox or thread begins. */
export function readMessagePlace({ offset, cursor = offset }: { offset: string; cursor?: string | undefined }): {
  offset: number;
  cursor: string;
} {
  if (!isPlace(cursor)) return { offset: Number(offset), cursor: '' };
  const hex = BigInt(cursor).toString(16).padStart(32, '0').slice(-32);
  return { offset: 0, cursor: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

function isPlace(text: string): boolean {
  return text.length === PLACE_DIGITS && /^\d+$/.test(text);
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
