import {
  AudioTask,
  type StreamTranscriptRequest,
  type TranscribeAudioRequest,
} from '@tollgate/contracts/inference/v1/compat_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { MediaAnswer, MediaCall, TranscriptionCall } from '../../providers/contract/media-provider.js';
import { type MediaContext, openMediaTurn } from './media-turn.js';

export interface TranscriptFrame {
  event: Uint8Array;
  isLast: boolean;
}

export async function transcribeAudio(
  ctx: MediaContext,
  req: TranscribeAudioRequest,
  call: Call,
): Promise<MediaAnswer> {
  const request = { admission: req.admission, kind: 'transcription', isStream: false } as const;
  const turn = await openMediaTurn(ctx, request, call);
  const answer = await turn.ask((provider, asked) => provider.transcribe(toCall(req, asked)));
  await turn.settle(answer.usage);
  return answer;
}

/** Yields events as they arrive, and the last one after the settlement. If the reader stops early, what was served is settled. */
export async function* streamTranscript(
  ctx: MediaContext,
  { transcription: req }: StreamTranscriptRequest,
  call: Call,
): AsyncGenerator<TranscriptFrame> {
  if (!req) throw new AppError('INVALID_INPUT', 'transcription is required');
  const request = { admission: req.admission, kind: 'transcription', isStream: true } as const;
  const turn = await openMediaTurn(ctx, request, call);
  const transcript = await turn.ask((provider, asked) => provider.streamTranscript(toCall(req, asked)));
  let held: Uint8Array | undefined;
  try {
    for await (const event of transcript.events) {
      if (held) yield { event: held, isLast: false };
      held = Buffer.from(event);
    }
    await turn.settle(transcript.usage());
  } catch (error) {
    // A transcript that was received in part is charged; nothing is, if the provider broke off before the first event.
    throw await turn.fail(error, held ? transcript.usage() : undefined);
  } finally {
    if (!turn.isOver) await turn.abandon(transcript.usage());
  }
  yield { event: held ?? new Uint8Array(), isLast: true };
}

function toCall(
  { task, audio, filename, mimeType, fields }: TranscribeAudioRequest,
  asked: MediaCall,
): TranscriptionCall {
  return {
    ...asked,
    task: task === AudioTask.TRANSLATE ? 'translate' : 'transcribe',
    audio: { bytes: audio, filename, mimeType },
    fields: fields.map(({ name, value }) => [name, value] as const),
  };
}
