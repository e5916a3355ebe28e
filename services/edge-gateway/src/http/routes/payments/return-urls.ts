import type { Context } from '../../../context.js';
import type { RouteInput } from '../../exchange/route.js';

type Asker = Pick<RouteInput<unknown, unknown, unknown>, 'headers'>;

/** The return URLs of an owner's checkout: as requested, by default a page of the edge (`show-checkout-return.ts`). */
export function returnUrls(
  ctx: Pick<Context, 'config'>,
  { headers }: Asker,
  body: { success_url?: string | undefined; cancel_url?: string | undefined },
): { successUrl: string; cancelUrl: string } {
  const base = ctx.config.publicBaseUrl ?? `http://${headers.host ?? 'localhost'}`;
  const own = (outcome: string): string => `${base}/api/v1/billing/checkout-return?outcome=${outcome}`;
  return { successUrl: body.success_url ?? own('success'), cancelUrl: body.cancel_url ?? own('cancel') };
}
