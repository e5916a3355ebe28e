import { StoredResponseService } from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { discardAttempt } from '../operations/responses/discard-attempt.js';
import { readHistory } from '../operations/responses/read-history.js';
import { deleteResponse, getResponse, listInputItems } from '../operations/responses/stored-responses.js';

export function storedResponseService(ctx: Context): Registration {
  return register(StoredResponseService, {
    readHistory: async (req, call) => {
      const { previousKey, conversationKey, itemsJson, referenced } = await readHistory(ctx, req, call);
      return {
        hasPrevious: previousKey !== undefined,
        previousKey: previousKey ?? '',
        hasConversation: conversationKey !== undefined,
        conversationKey: conversationKey ?? '',
        itemsJson: Buffer.from(itemsJson),
        referenced: referenced.map(({ id, item }) => ({ id, itemJson: Buffer.from(item) })),
      };
    },
    discardAttempt: async ({ holdId }, call) => {
      await discardAttempt(ctx, holdId, call);
      return {};
    },
    getResponse: async (req, call) => ({ responseJson: Buffer.from(await getResponse(ctx, req.responseId, call)) }),
    deleteResponse: async (req, call) => {
      await deleteResponse(ctx, req.responseId, call);
      return {};
    },
    listInputItems: async (req, call) => {
      const { items, hasMore } = await listInputItems(ctx, req.responseId, req, call);
      return { itemsJson: items.map((item) => Buffer.from(item)), hasMore };
    },
  });
}
