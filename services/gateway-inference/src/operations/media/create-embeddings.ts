import type { CreateEmbeddingsRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { MediaAnswer } from '../../providers/contract/media-provider.js';
import { parseBody } from '../parse-body.js';
import { type MediaContext, openMediaTurn } from './media-turn.js';

export async function createEmbeddings(
  ctx: MediaContext,
  req: CreateEmbeddingsRequest,
  call: Call,
): Promise<MediaAnswer> {
  const request = { admission: req.admission, kind: 'embeddings', isStream: false } as const;
  const turn = await openMediaTurn(ctx, request, call);
  const answer = await turn.ask((provider, asked) =>
    provider.embed({ ...asked, body: parseBody(req.body), hints: req.hints }),
  );
  await turn.settle(answer.usage);
  return answer;
}
