import { speechBody } from '@tollgate/api/model-requests';
import { estimateSpeech } from '@tollgate/catalog';
import type { CreateSpeechResponse } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS, MediaRequest } from './media-request.js';

const PATH = '/v1/audio/speech';

export const createSpeech = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: 'Generate spoken audio from text',
  operationId: 'createSpeech',
  description: 'Answers with the bytes of the recording in the requested format.',
  auth: ['secret_key', 'customer'],
  body: speechBody,
  bodyClass: 'generating',
  success: { status: 200, contentType: 'audio/*' },
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { body, rawBody, call } = input;
    const request = new MediaRequest(ctx, input, PATH);
    const instructions = body.instructions ?? undefined;
    const admission = await request.admit(body.model, (model) => estimateSpeech(model, body.input, instructions));
    const frames = ctx.clients.compat.createSpeech({ admission, body: rawBody }, call)[Symbol.asyncIterator]();
    // An error before the first chunk is still a plain response.
    const first = await request.answer(frames.next());
    if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
    return { headers: { 'Content-Type': first.value.contentType }, chunks: readAudio(first.value, frames) };
  },
});

async function* readAudio(
  first: CreateSpeechResponse,
  rest: AsyncIterator<CreateSpeechResponse>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let frame = first; ; ) {
      yield frame.audio;
      if (frame.isLast) break;
      const next = await rest.next();
      // Only an explicit end frame ends the audio, so that a truncated stream does not look complete.
      if (next.done) throw new AppError('PROVIDER_ERROR', 'the audio stream ended early');
      frame = next.value;
    }
  } finally {
    await rest.return?.();
  }
}
