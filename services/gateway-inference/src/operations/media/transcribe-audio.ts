import { AudioTask, type TranscribeAudioRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { MediaAnswer } from '../../providers/contract/media-provider.js';
import { type MediaContext, openMediaTurn } from './media-turn.js';

export async function transcribeAudio(
  ctx: MediaContext,
  req: TranscribeAudioRequest,
  call: Call,
): Promise<MediaAnswer> {
  const request = { admission: req.admission, kind: 'transcription', isStream: false } as const;
  const turn = await openMediaTurn(ctx, request, call);
  const answer = await turn.ask((provider, asked) =>
    provider.transcribe({
      ...asked,
      task: req.task === AudioTask.TRANSLATE ? 'translate' : 'transcribe',
      audio: { bytes: req.audio, filename: req.filename, mimeType: req.mimeType },
      fields: req.fields.map(({ name, value }) => [name, value] as const),
    }),
  );
  await turn.settle(answer.usage);
  return answer;
}
