import { transcriptionResponse, translationForm } from '@tollgate/api';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS } from './media-request.js';
import { transcribe } from './transcribe.js';

const PATH = '/v1/audio/translations';

export const createTranslation = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: 'What is said in a recording, in English',
  auth: ['secret_key', 'customer'],
  body: translationForm,
  takesForm: true,
  bodyClass: 'generating',
  success: { status: 200, schema: transcriptionResponse },
  alsoAnswers: [{ status: 200, contentType: 'text/plain' }],
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  handler: (input, ctx) => transcribe(ctx, input, PATH, AudioTask.TRANSLATE),
});
