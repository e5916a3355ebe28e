import {
  type ExpandedResponses,
  expandResponses,
  type SentInputTokensBody,
  toHistoryQuery,
} from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { BODY_BYTES_MAX, type BodyShare, overloaded, tooLarge } from '../exchange/body/read-body.js';

/**
 * Replaces references to stored items by the items themselves, and counts their bytes in `share`.
 *
 * @throws AppError in the words of the vendor when one does not exist for the caller; PAYLOAD_TOO_LARGE when the items have more
 *   bytes than a body may have; SERVICE_UNAVAILABLE when the process holds too many bodies
 */
export async function expandResponsesBody(
  ctx: Pick<Context, 'clients'>,
  body: SentInputTokensBody,
  share: BodyShare,
  call: Call,
): Promise<ExpandedResponses> {
  const stored = await ctx.clients.storedResponses.readHistory(toHistoryQuery(body), call);
  const result = expandResponses(body, stored, (storedBytes) => {
    if (storedBytes > BODY_BYTES_MAX.generating) throw tooLarge(BODY_BYTES_MAX.generating);
    if (!share.take(storedBytes)) throw overloaded();
  });
  if (result.kind === 'missing') {
    throw new AppError(result.code, result.message, { vendorError: result.vendorError });
  }
  return result;
}
