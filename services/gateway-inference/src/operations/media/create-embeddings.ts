import type { CreateEmbeddingsRequest } from '@tollgate/contracts/inference/v1/compat_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { MediaAnswer } from '../../providers/contract/media-provider.js';
import { parseBody } from '../parse-body.js';
import { MediaTurn } from './media-turn.js';
import { planOrRelease } from './release-media.js';

export async function createEmbeddings(ctx: Context, req: CreateEmbeddingsRequest, call: Call): Promise<MediaAnswer> {
  const plan = await planOrRelease(ctx, req.admission, 'embeddings', call);
  const turn = new MediaTurn(ctx, plan, call, false);
  const answer = await turn.ask((provider, asked) => provider.embed({ ...asked, body: parseBody(req.body) }));
  await turn.settle(answer.usage);
  return answer;
}
