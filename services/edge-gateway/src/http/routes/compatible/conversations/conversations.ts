import {
  addConversationItemsBody,
  conversationItemSchema,
  conversationItemsSchema,
  conversationSchema,
  createConversationBody,
  deletedConversationSchema,
  listConversationItemsQuery,
  updateConversationBody,
} from '@tollgate/api/compatible';
import type { Conversation } from '@tollgate/contracts/inference/v1/conversations_pb.js';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { discardAttempt } from '../../../../operations/attempts/discard-lost-responses.js';
import { defineRoute } from '../../../exchange/route.js';
import { requireStorage } from '../../../turns/run-stateful-turn.js';

const id = z.string().min(1).max(256);

const conversationParams = z.object({ conversation_id: id });
/** Vendors choose the ids of items in forwarded answers. */
const conversationItemParams = z.object({ conversation_id: id, item_id: id });

export const createConversation = defineRoute({
  method: 'POST',
  path: '/v1/conversations',
  tag: 'Compatible endpoints',
  summary: 'Create a conversation',
  operationId: 'createConversation',
  description:
    'Requests of `/v1/responses` that name it in `conversation` get its items before their own input; their input and output are added to it. It expires when it has not been used for as long as responses are stored. Needs a project that stores responses.',
  auth: ['secret_key', 'customer'],
  body: createConversationBody,
  bodyClass: 'generating',
  idempotent: true,
  success: { status: 200, schema: conversationSchema },
  refusals: [400],
  errorShape: 'openai',
  async handler({ body, principal, call }, ctx) {
    requireStorage(ctx, principal, 'conversation');
    const { items, metadata } = body;
    const created = { metadataJson: toJson(metadata ?? {}), itemsJson: toJson(items ?? []) };
    const { conversation } = await ctx.clients.conversations.createConversation(created, call);
    return { body: conversationJson(conversation) };
  },
});

export const getConversation = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Get a conversation',
  operationId: 'getConversation',
  description: 'A customer reads its own conversations, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const asked = { conversationId: params.conversation_id };
    return { body: conversationJson((await ctx.clients.conversations.getConversation(asked, call)).conversation) };
  },
});

export const updateConversation = defineRoute({
  method: 'POST',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Replace the metadata of a conversation',
  operationId: 'updateConversation',
  description: 'Null removes the metadata.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  body: updateConversationBody,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, body, call }, ctx) {
    const change = { conversationId: params.conversation_id, metadataJson: toJson(body.metadata ?? {}) };
    return { body: conversationJson((await ctx.clients.conversations.updateConversation(change, call)).conversation) };
  },
});

export const deleteConversation = defineRoute({
  method: 'DELETE',
  path: '/v1/conversations/:conversation_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a conversation with its items',
  operationId: 'deleteConversation',
  description: 'Responses that were stored while they belonged to it stay.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  success: { status: 200, schema: deletedConversationSchema },
  errorShape: 'openai',
  async handler({ params: { conversation_id: id }, call }, ctx) {
    await ctx.clients.conversations.deleteConversation({ conversationId: id }, call);
    return { body: { id, object: 'conversation.deleted', deleted: true } };
  },
});

export const listConversationItems = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id/items',
  tag: 'Compatible endpoints',
  summary: 'List the items of a conversation',
  operationId: 'listConversationItems',
  description: 'Newest first, unless `order` is `asc`.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  query: listConversationItemsQuery,
  success: { status: 200, schema: conversationItemsSchema },
  errorShape: 'openai',
  async handler({ params, query: { limit, order, after = '' }, call }, ctx) {
    const page = { conversationId: params.conversation_id, limit, after, isDescending: order === 'desc' };
    const listed = await ctx.clients.conversations.listItems(page, call);
    return { body: itemsJson(listed.itemsJson, listed.hasMore) };
  },
});

export const addConversationItems = defineRoute({
  method: 'POST',
  path: '/v1/conversations/:conversation_id/items',
  tag: 'Compatible endpoints',
  summary: 'Add items to a conversation',
  operationId: 'addConversationItems',
  description: 'Adds up to 20 items at its end, in a row, and returns them with their ids.',
  auth: ['secret_key', 'customer'],
  params: conversationParams,
  body: addConversationItemsBody,
  bodyClass: 'generating',
  idempotent: true,
  discard: (ctx, attemptId, call) => discardAttempt(ctx, attemptId, call, {}),
  success: { status: 200, schema: conversationItemsSchema },
  refusals: [400],
  errorShape: 'openai',
  async handler({ params, body, principal, ids, call }, ctx) {
    requireStorage(ctx, principal, 'items');
    const added = { conversationId: params.conversation_id, itemsJson: toJson(body.items), sourceId: ids.holdId };
    return { body: itemsJson((await ctx.clients.conversations.addItems(added, call)).itemsJson, false) };
  },
});

export const getConversationItem = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversation_id/items/:item_id',
  tag: 'Compatible endpoints',
  summary: 'Get an item of a conversation',
  operationId: 'getConversationItem',
  auth: ['secret_key', 'customer'],
  params: conversationItemParams,
  success: { status: 200, schema: conversationItemSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const place = { conversationId: params.conversation_id, itemId: params.item_id };
    return { body: parse((await ctx.clients.conversations.getItem(place, call)).itemJson) };
  },
});

export const deleteConversationItem = defineRoute({
  method: 'DELETE',
  path: '/v1/conversations/:conversation_id/items/:item_id',
  tag: 'Compatible endpoints',
  summary: 'Delete an item of a conversation',
  operationId: 'deleteConversationItem',
  description: 'Later requests in the conversation do not get it. Returns the conversation.',
  auth: ['secret_key', 'customer'],
  params: conversationItemParams,
  success: { status: 200, schema: conversationSchema },
  errorShape: 'openai',
  async handler({ params, call }, ctx) {
    const place = { conversationId: params.conversation_id, itemId: params.item_id };
    return { body: conversationJson((await ctx.clients.conversations.deleteItem(place, call)).conversation) };
  },
});

function conversationJson(conversation: Conversation | undefined): z.output<typeof conversationSchema> {
  if (!conversation) throw new AppError('INTERNAL_ERROR', 'internal error');
  const { id, createdAtMs, metadataJson } = conversation;
  return {
    id,
    object: 'conversation',
    created_at: Math.floor(Number(createdAtMs) / 1000),
    metadata: parse(metadataJson),
  };
}

function itemsJson(items: readonly Uint8Array[], hasMore: boolean): z.output<typeof conversationItemsSchema> {
  const data = items.map((item) => parse<{ id: string; type: string }>(item));
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}

function parse<T>(json: Uint8Array): T {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
