import type { CreateSpeechRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { parseBody } from '../parse-body.js';
import { MediaTurn, NOTHING_SERVED } from './media-turn.js';
import { planOrRelease } from './release-media.js';

export interface SpeechFrame {
  contentType: string;
  audio: Uint8Array;
  isLast: boolean;
}

/** Audio as it comes; the last piece waits for the settlement. Leaving the loop settles with what was served. */
export async function* createSpeech(ctx: Context, req: CreateSpeechRequest, call: Call): AsyncGenerator<SpeechFrame> {
  const plan = await planOrRelease(ctx, req.admission, 'speech', call);
  const turn = new MediaTurn(ctx, plan, call, true);
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
    // What was heard is paid for; a provider that broke off before the first piece is not.
    throw await turn.fail(error, held ? speech.usage() : NOTHING_SERVED);
  } finally {
    if (!turn.isSettled) await turn.abandon(speech.usage());
  }
  yield { contentType, audio: held ?? new Uint8Array(), isLast: true };
}
