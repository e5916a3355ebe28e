import type { CreateSpeechRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import { parseBody } from '../parse-body.js';
import { type MediaContext, openMediaTurn } from './media-turn.js';

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
  const speech = await turn.ask((provider, asked) => provider.speak({ ...asked, body: parseBody(req.body) }));
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
