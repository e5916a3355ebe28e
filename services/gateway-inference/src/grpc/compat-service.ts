import { CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { type Registration, register } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { countTokens } from '../operations/count-tokens.js';
import { createEmbeddings } from '../operations/media/create-embeddings.js';
import { createModeration } from '../operations/media/create-moderation.js';
import { createSpeech } from '../operations/media/create-speech.js';
import { streamTranscript, transcribeAudio } from '../operations/media/transcribe-audio.js';

export function compatService(ctx: Context): Registration {
  return register(CompatService, {
    countTokens: (req) => ({ inputTokens: BigInt(countTokens(ctx, req)) }),
    createEmbeddings: async (req, call) => {
      const { contentType, body } = await createEmbeddings(ctx, req, call);
      return { contentType, body };
    },
    createModeration: async (req, call) => {
      const { contentType, body } = await createModeration(ctx, req, call);
      return { contentType, body };
    },
    createSpeech: (req, call) => createSpeech(ctx, req, call),
    streamTranscript: (req, call) => streamTranscript(ctx, req, call),
    transcribeAudio: async (req, call) => {
      const { contentType, body } = await transcribeAudio(ctx, req, call);
      return { contentType, body };
    },
  });
}
