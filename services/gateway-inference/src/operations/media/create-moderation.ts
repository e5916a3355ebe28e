import type { CreateModerationRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { MediaAnswer } from '../../providers/contract/media-provider.js';
import { parseBody } from '../parse-body.js';
import { type MediaContext, openMediaTurn } from './media-turn.js';

export async function createModeration(
  ctx: MediaContext,
  req: CreateModerationRequest,
  call: Call,
): Promise<MediaAnswer> {
  const request = { admission: req.admission, kind: 'moderation', isStream: false } as const;
  const turn = await openMediaTurn(ctx, request, call);
  // No vendor reports usage: the units are those that were admitted.
  const inputUnits = Number(req.admission?.inputUnits ?? 0);
  const answer = await turn.ask((provider, asked) =>
    provider.moderate({ ...asked, body: parseBody(req.body), inputUnits }),
  );
  await turn.settle(answer.usage);
  return answer;
}
