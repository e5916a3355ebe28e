import { isLowerCaseUuid } from '@tollgate/runtime/uuid';
import type { Context } from '../../context.js';
import { clientAddress } from '../exchange/client-address.js';
import { checkAnonymousRateLimit, rateLimitError } from '../exchange/rate-limit.js';
import type { FindFrames } from './serve-console.js';

/** Reads a project's setting, within the limit of requests without a credential. An unknown project allows no frame. */
export function portalFrames(ctx: Pick<Context, 'config' | 'directory' | 'rateStore'>): FindFrames {
  return async (req, projectId) => {
    const outcome = await checkAnonymousRateLimit(clientAddress(req, ctx.config.http.trustProxyHops), ctx);
    if (!outcome.ok) throw rateLimitError(outcome);
    if (!isLowerCaseUuid(projectId)) return [];
    return (await ctx.directory.portal(projectId))?.origins ?? [];
  };
}
