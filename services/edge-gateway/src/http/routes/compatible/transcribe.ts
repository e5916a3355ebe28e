import { estimateTranscription } from '@tollgate/catalog';
import type { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import type { FormFile } from '../../exchange/body/form-body.js';
import type { JsonResult, RouteInput } from '../../exchange/route.js';
import { MediaRequest } from './media-request.js';

type Input = RouteInput<unknown, unknown, { model: string }>;

/** A recording as text: in its own language, or in English. */
export async function transcribe(ctx: Context, input: Input, path: string, task: AudioTask): Promise<JsonResult> {
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
