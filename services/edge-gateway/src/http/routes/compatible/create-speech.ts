import { speechBody, speechEventSchema } from '@tollgate/api/model-requests';
import { estimateSpeech } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS, MediaRequest, mapFrames, readFrames } from './media-request.js';

const PATH = '/v1/audio/speech';

export const createSpeech = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: 'Generate spoken audio from text',
  operationId: 'createSpeech',
  description:
    'Answers with the bytes of the recording in the requested format, or with `stream_format: "sse"` with events `speech.audio.delta` that have them in base64. The last event, `speech.audio.done`, has the usage of models that are sold by tokens.',
  auth: ['secret_key', 'customer'],
  body: speechBody,
  bodyClass: 'generating',
  success: { status: 200, contentType: 'audio/*' },
  alsoAnswers: [{ status: 200, schema: speechEventSchema, contentType: 'text/event-stream' }],
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
    const { contentType } = first.value;
    const read = readFrames(first.value, frames);
    if (contentType === 'text/event-stream') {
      const events = mapFrames(read, ({ audio: json }) => ({ json }));
      return { format: 'sse' as const, events, endsInErrors: true as const };
    }
    return { headers: { 'Content-Type': contentType }, chunks: mapFrames(read, ({ audio }) => audio) };
  },
});
