import { transcriptionResponse } from '@tollgate/api/model-requests';
import { estimateTranscription } from '@tollgate/catalog';
import type { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { z } from 'zod';
import type { Context } from '../../../context.js';
import type { FormFile } from '../../exchange/body/form-body.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute, type JsonResult, type Route, type RouteInput } from '../../exchange/route.js';
import type { SpendingContext } from '../../turns/spender.js';
import { MEDIA_TIMEOUT_MS, MediaRequest } from './media-request.js';

type Input = RouteInput<unknown, unknown, { model: string }>;

interface TranscriptionRoute {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  task: AudioTask;
  body: z.ZodType<{ model: string }>;
}

/** Defines a route that returns the text of a recording, in its own language or in English. */
export function transcriptionRoute({ task, ...route }: TranscriptionRoute): Route {
  return defineRoute({
    ...route,
    method: 'POST',
    tag: 'Compatible endpoints',
    auth: ['secret_key', 'customer'],
    takesForm: true,
    bodyClass: 'generating',
    success: { status: 200, schema: transcriptionResponse },
    alsoAnswers: [{ status: 200, contentType: 'text/plain' }],
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
): Promise<JsonResult> {
  const { body, form, call } = input;
  const file = requireFile(form?.file);
  const request = new MediaRequest(ctx, input, path);
  const fields = (form?.fields ?? []).filter(([name]) => name !== 'model').map(([name, value]) => ({ name, value }));
  const hints = fields.map(({ value }) => value).join('');
  const admission = await request.admit(body.model, (model) => estimateTranscription(model, file.bytes.length, hints));
  const answer = await request.answer(
    ctx.clients.compat.transcribeAudio(
      {
        admission,
        task,
        audio: file.bytes,
        filename: file.filename,
        mimeType: file.mimeType,
        fields,
      },
      call,
    ),
  );
  return { headers: { 'Content-Type': answer.contentType }, body: answer.body };
}

function requireFile(file: FormFile | undefined): FormFile {
  if (file?.name === 'file' && file.bytes.length > 0) return file;
  const message = 'file is required';
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'file', message }] });
}
