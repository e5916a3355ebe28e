import { BackgroundResponseService } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import type { ReaderEvent } from '../domain/run/run-event.js';
import {
  createBackground,
  discardBackground,
  getBackground,
  removeBackground,
  stopBackground,
} from '../operations/background/background-responses.js';
import { streamBackground } from '../operations/background/stream-background.js';

/** All RPCs of BackgroundResponseService. */
export function backgroundResponseService(ctx: Context): Registration {
  return register(BackgroundResponseService, {
    async createBackgroundResponse({ holdId, body, headJson, storage, usesCache, betas, holdTtlMs, isStreamed }, call) {
      const { previousKey = '', historyItems = 0, conversationKey = '' } = storage ?? {};
      const input = {
        holdId,
        holdTtlMs: holdTtlMs || undefined,
        isStreamed,
        body: Buffer.from(body).toString('utf8'),
        head: Buffer.from(headJson).toString('utf8'),
        options: { previousKey, historyItems, conversationKey, usesCache, betas },
      };
      return { responseJson: Buffer.from(await createBackground(ctx, input, call)) };
    },
    async *streamBackgroundResponse({ id, startingAfter = -1 }, call) {
      for await (const { events, isComplete } of streamBackground(ctx, { id, startingAfter }, call)) {
        yield { events: events.map(toEvent), isComplete };
      }
    },
    getBackgroundResponse: async ({ id }, call) => toAnswer(await getBackground(ctx, id, call)),
    cancelBackgroundResponse: async ({ id }, call) => toAnswer(await stopBackground(ctx, id, call)),
    async deleteBackgroundResponse({ id }, call) {
      await removeBackground(ctx, id, call);
      return {};
    },
    async discardBackgroundResponse({ holdId }, call) {
      await discardBackground(ctx, holdId, call);
      return {};
    },
  });
}

function toAnswer(json: string | undefined): { responseJson: Buffer } {
  return { responseJson: Buffer.from(json ?? '') };
}

function toEvent({ seq: sequenceNumber, type, json }: ReaderEvent) {
  return { sequenceNumber, type, data: Buffer.from(json) };
}
