import { translationForm } from '@tollgate/api/model-requests';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { transcriptionRoute } from './transcribe.js';

export const createTranslation = transcriptionRoute({
  path: '/v1/audio/translations',
  summary: 'Translate a recording into English text',
  operationId: 'createTranslation',
  description: 'The form has the recording as `file`, of at most 25 MiB.',
  task: AudioTask.TRANSLATE,
  body: translationForm,
});
