import type { CreateSpeechRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { MediaUsage, SpeechAnswer } from '../../providers/contract/media-provider.js';
import { parseBody } from '../parse-body.js';
import { type MediaContext, type MediaTurn, openMediaTurn } from './media-turn.js';

export interface SpeechFrame {
  contentType: string;
  audio: Uint8Array;
  isLast: boolean;
}

/** Yields audio as it arrives, and the last piece after the settlement. If the reader stops early, what was served is settled. */
export async function* createSpeech(
  ctx: MediaContext,
  req: CreateSpeechRequest,
  call: Call,
): AsyncGenerator<SpeechFrame> {
  const request = { admission: req.admission, kind: 'speech', isStream: true } as const;
  const turn = await openMediaTurn(ctx, request, call);
  const body = parseBody(req.body) as Record<string, unknown>;
  const speech = await turn.ask((provider, asked) => provider.speak({ ...asked, body }));
  yield* body.stream_format === 'sse' ? speakInEvents(turn, speech) : speakInBytes(turn, speech);
}

async function* speakInBytes(turn: MediaTurn, speech: SpeechAnswer): AsyncGenerator<SpeechFrame> {
  const { contentType } = speech;
  let held: Uint8Array | undefined;
  try {
    for await (const piece of speech.audio) {
      if (held) yield { contentType, audio: held, isLast: false };
      held = piece;
    }
    await turn.settle(speech.usage());
  } catch (error) {
    // Audio that was received is charged; nothing is, if the provider broke off before the first piece.
    throw await turn.fail(error, held ? speech.usage() : undefined);
  } finally {
    if (!turn.isOver) await turn.abandon(speech.usage());
  }
  yield { contentType, audio: held ?? new Uint8Array(), isLast: true };
}

/** One event in each frame. The last event follows the settlement and has its usage. */
async function* speakInEvents(turn: MediaTurn, speech: SpeechAnswer): AsyncGenerator<SpeechFrame> {
  let settled: MediaUsage;
  let hasAudio = false;
  try {
    for await (const piece of speech.audio) {
      hasAudio = true;
      const audio = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64');
      yield toFrame({ type: 'speech.audio.delta', audio }, false);
    }
    settled = await turn.settle(speech.usage());
  } catch (error) {
    throw await turn.fail(error, hasAudio ? speech.usage() : undefined);
  } finally {
    if (!turn.isOver) await turn.abandon(speech.usage());
  }
  yield toFrame({ type: 'speech.audio.done', ...(turn.meteredIn === 'tokens' && { usage: toUsage(settled) }) }, true);
}

function toFrame(event: object, isLast: boolean): SpeechFrame {
  return { contentType: 'text/event-stream', audio: Buffer.from(JSON.stringify(event)), isLast };
}

function toUsage({ inputUnits, outputUnits }: MediaUsage): object {
  return { input_tokens: inputUnits, output_tokens: outputUnits, total_tokens: inputUnits + outputUnits };
}
