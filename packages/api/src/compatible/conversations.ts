// Bodies and answers of `/v1/conversations`. Source: the types of the official `openai` client library 6.49.
import { z } from 'zod';
import { queryInteger } from '../values/paging.js';
import { expandedResponsesItem } from './compatible-responses-items.js';
import { compatibleMetadata } from './metadata.js';

/** Items of one request. */
const ITEMS_MAX = 20;

const items = z.array(expandedResponsesItem).max(ITEMS_MAX);

/** Body of `POST /v1/conversations`. */
export const createConversationBody = z.object({ items: items.nullish(), metadata: compatibleMetadata.nullish() });

/** Body of `POST /v1/conversations/{id}`. */
export const updateConversationBody = z.object({ metadata: compatibleMetadata.nullable() });

/** Body of `POST /v1/conversations/{id}/items`. */
export const addConversationItemsBody = z.object({ items: items.min(1) });

/** Query of `GET /v1/conversations/{id}/items`. */
export const listConversationItemsQuery = z.object({
  limit: queryInteger(1, 100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().min(1).max(256).optional(),
});

export const conversationSchema = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  /** Seconds. */
  created_at: z.int(),
  metadata: z.record(z.string(), z.string()),
});

/** Answer of `DELETE /v1/conversations/{id}`. */
export const deletedConversationSchema = z.object({
  id: z.string(),
  object: z.literal('conversation.deleted'),
  deleted: z.literal(true),
});

export const conversationItemSchema = z.looseObject({ id: z.string(), type: z.string() });

/** Answer of `GET` and `POST /v1/conversations/{id}/items`. */
export const conversationItemsSchema = z.object({
  object: z.literal('list'),
  data: z.array(conversationItemSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});
