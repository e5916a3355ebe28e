import { transcriptionForm } from '@tollgate/api/model-requests';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { transcriptionRoute } from './transcribe.js';

export const createTranscription = transcriptionRoute({
  path: '/v1/audio/transcriptions',
  summary: 'Transcribe a recording',
  task: AudioTask.TRANSCRIBE,
  body: transcriptionForm,
});
