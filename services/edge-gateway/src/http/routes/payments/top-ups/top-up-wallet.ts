import { walletTopUpInputSchema, walletTopUpSchema } from '@tollgate/api/billing';
import type { Call } from '@tollgate/rpc';
import type { z } from 'zod';
import type { Context } from '../../../../context.js';
import type { JsonResult } from '../../../exchange/route.js';
import { walletTopUpJson } from '../payments-json.js';

/** Fields that the routes of both callers share. */
export const walletTopUpRoute = {
  method: 'POST',
  body: walletTopUpInputSchema,
  success: { status: 201, schema: walletTopUpSchema },
  idempotent: true,
} as const;

/** Creates a checkout that tops up the customer's wallet. */
export async function topUpWallet(
  { clients }: Pick<Context, 'clients'>,
  customerId: string,
  body: z.output<typeof walletTopUpInputSchema>,
  call: Call,
): Promise<JsonResult> {
  const { topUp } = await clients.payments.createWalletTopUp(
    {
      customerId,
      creditAmountCents: BigInt(body.credit_amount_cents),
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    },
    call,
  );
  return { status: 201, body: walletTopUpJson(topUp) };
}
