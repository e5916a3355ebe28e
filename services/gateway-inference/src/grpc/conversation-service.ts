import type { MessageInitShape } from '@bufbuild/protobuf';
import { type ConversationSchema, ConversationService } from '@tollgate/contracts/inference/v1/conversations_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { toConversationId } from '../domain/conversation.js';
import {
  createConversation,
  deleteConversation,
  requireConversation,
  updateConversation,
} from '../operations/conversations/conversations.js';
import { addItems, deleteItem, getItem, listItems } from '../operations/conversations/items.js';
import type { Conversation } from '../store/conversations.js';

export function conversationService(ctx: Context): Registration {
  return register(ConversationService, {
    createConversation: async (req, call) => {
      const input = { metadata: toText(req.metadataJson), items: parseItems(req.itemsJson) };
      return { conversation: toMessage(await createConversation(ctx, input, call)) };
    },
    getConversation: async ({ conversationId }, call) => ({
      conversation: toMessage(await requireConversation(ctx, conversationId, call)),
    }),
    updateConversation: async ({ conversationId, metadataJson }, call) => {
      const input = { conversationId, metadata: toText(metadataJson) };
      return { conversation: toMessage(await updateConversation(ctx, input, call)) };
    },
    deleteConversation: async ({ conversationId }, call) => {
      await deleteConversation(ctx, conversationId, call);
      return {};
    },
    addItems: async ({ conversationId, itemsJson, sourceId }, call) => {
      const input = { conversationId, items: parseItems(itemsJson), itemsBytes: itemsJson.length, sourceId };
      return { itemsJson: toBytes(await addItems(ctx, input, call)) };
    },
    listItems: async (req, call) => {
      const { items, hasMore } = await listItems(ctx, req, call);
      return { itemsJson: toBytes(items), hasMore };
    },
    getItem: async (req, call) => ({ itemJson: Buffer.from(await getItem(ctx, req, call)) }),
    deleteItem: async (req, call) => ({ conversation: toMessage(await deleteItem(ctx, req, call)) }),
  });
}

function toMessage({ id, createdAt, metadata }: Conversation): MessageInitShape<typeof ConversationSchema> {
  return {
    id: toConversationId(id),
    createdAtMs: BigInt(createdAt.getTime()),
    metadataJson: Buffer.from(metadata),
  };
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parseItems(bytes: Uint8Array): Record<string, unknown>[] {
  return bytes.length === 0 ? [] : JSON.parse(toText(bytes));
}

function toBytes(items: readonly string[]): Uint8Array[] {
  return items.map((item) => Buffer.from(item));
}
