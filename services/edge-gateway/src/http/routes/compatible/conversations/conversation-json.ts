import type { conversationItemsSchema, conversationSchema } from '@tollgate/api/compatible';
import type { Conversation } from '@tollgate/contracts/inference/v1/conversations_pb.js';
import { AppError } from '@tollgate/errors';
import type { z } from 'zod';

export function conversationJson(conversation: Conversation | undefined): z.output<typeof conversationSchema> {
  if (!conversation) throw new AppError('INTERNAL_ERROR', 'internal error');
  const { id, createdAtMs, metadataJson } = conversation;
  return {
    id,
    object: 'conversation',
    created_at: Math.floor(Number(createdAtMs) / 1000),
    metadata: parse(metadataJson),
  };
}

export function itemsJson(items: readonly Uint8Array[], hasMore: boolean): z.output<typeof conversationItemsSchema> {
  const data = items.map((item) => parse<{ id: string; type: string }>(item));
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}

export function parse<T>(json: Uint8Array): T {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8'));
}

export function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
