import {
  transcriptEventSchema,
  transcriptionForm,
  transcriptionResponse,
  translationForm,
} from '@tollgate/api/model-requests';
import { estimateTranscription } from '@tollgate/catalog';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { z } from 'zod';
import type { Context } from '../../../context.js';
import type { FormFile } from '../../exchange/body/form-body.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute, type Route, type RouteInput, type RouteResult } from '../../exchange/route.js';
import type { SpendingContext } from '../../turns/admit-turn.js';
import { MEDIA_TIMEOUT_MS, MediaRequest, mapFrames, readFrames } from './media-request.js';

type Input = RouteInput<unknown, unknown, { model: string; stream?: string | undefined }>;

interface TranscriptionRoute {
  /** Whether `stream` answers with events. */
  isStreamable?: true;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  task: AudioTask;
  body: z.ZodType<{ model: string; stream?: string | undefined }>;
}

/** Defines a route that returns the text of a recording, in its own language or in English. */
function transcriptionRoute({ task, isStreamable, ...route }: TranscriptionRoute): Route {
  return defineRoute({
    ...route,
    method: 'POST',
    tag: 'Compatible endpoints',
    auth: ['secret_key', 'customer'],
    takesForm: true,
    bodyClass: 'generating',
    success: { status: 200, schema: transcriptionResponse },
    alsoAnswers: [
      { status: 200, contentType: 'text/plain' },
      ...(isStreamable ? [{ status: 200, schema: transcriptEventSchema, contentType: 'text/event-stream' }] : []),
    ],
    refusals: [402],
    errorShape: 'openai',
    idempotent: true,
    holdIds: ownHold,
    timeoutMs: MEDIA_TIMEOUT_MS,
    handler: (input, ctx) => transcribe(ctx, input, route.path, task),
  });
}

async function transcribe(
  ctx: SpendingContext & Pick<Context, 'clients'>,
  input: Input,
  path: string,
  task: AudioTask,
): Promise<RouteResult> {
  const { body, form, call } = input;
  const file = requireFile(form?.file);
  const request = new MediaRequest(ctx, input, path);
  const fields = (form?.fields ?? []).filter(([name]) => name !== 'model').map(([name, value]) => ({ name, value }));
  const hints = fields.map(({ value }) => value).join('');
  const admission = await request.admit(body.model, (model) => estimateTranscription(model, file.bytes.length, hints));
  const { bytes: audio, filename, mimeType } = file;
  const asked = { admission, task, audio, filename, mimeType, fields };
  if (body.stream === 'true') {
    const frames = ctx.clients.compat.streamTranscript({ transcription: asked }, call)[Symbol.asyncIterator]();
    // An error before the first event is still a plain response.
    const first = await request.answer(frames.next());
    if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
    const events = mapFrames(readFrames(first.value, frames), ({ event: json }) => ({ json }));
    return { format: 'sse', events, endsInErrors: true };
  }
  const answer = await request.answer(ctx.clients.compat.transcribeAudio(asked, call));
  return { headers: { 'Content-Type': answer.contentType }, body: answer.body };
}

function requireFile(file: FormFile | undefined): FormFile {
  if (file?.name === 'file' && file.bytes.length > 0) return file;
  const message = 'file is required';
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'file', message }] });
}

export const createTranscription = transcriptionRoute({
  path: '/v1/audio/transcriptions',
  summary: 'Transcribe a recording',
  operationId: 'createTranscription',
  isStreamable: true,
  description:
    'The form has the recording as `file`, of at most 25 MiB. With `stream`, answers with events `transcript.text.delta` and a last `transcript.text.done`, which has the whole text and the usage.',
  task: AudioTask.TRANSCRIBE,
  body: transcriptionForm,
});

export const createTranslation = transcriptionRoute({
  path: '/v1/audio/translations',
  summary: 'Translate a recording into English text',
  operationId: 'createTranslation',
  description: 'The form has the recording as `file`, of at most 25 MiB.',
  task: AudioTask.TRANSLATE,
  body: translationForm,
});
