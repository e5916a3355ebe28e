import { transcriptionForm } from '@tollgate/api/model-requests';
import { AudioTask } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { transcriptionRoute } from './transcribe.js';

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
