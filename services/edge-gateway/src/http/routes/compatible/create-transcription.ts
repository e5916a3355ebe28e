import { transcriptionForm } from '@tollgate/api/model-requests';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { transcriptionRoute } from './transcribe.js';

export const createTranscription = transcriptionRoute({
  path: '/v1/audio/transcriptions',
  summary: 'Transcribe a recording',
  operationId: 'createTranscription',
  description: 'The form has the recording as `file`, of at most 25 MiB.',
  task: AudioTask.TRANSCRIBE,
  body: transcriptionForm,
});
