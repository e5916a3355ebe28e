import { randomUUID } from 'node:crypto';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { createMessage } from '@tollgate/contracts/codec';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MICROCENTS_PER_CENT } from '@tollgate/money';
import type { Queryable } from '@tollgate/postgres';
import { type Client, startCall } from '@tollgate/rpc';
import { CommandError } from '@tollgate/service';
import { z } from 'zod';
import { emailKey } from '../../domain/email.js';
import { findAccountIdByEmailKey } from '../../store/users.js';

const TIMEOUT_MS = 30_000;

const inputSchema = z.object({
  email: z.string().min(3),
  cents: z.coerce.number({ error: 'must be a whole number' }).int().positive().max(100_000_000),
  cause: z.string().min(1).max(200).optional(),
});

export interface GrantedCredit {
  accountId: string;
  balanceCents: bigint;
  /** Repeat an interrupted command with this cause. */
  cause: string;
  /** False when this cause was credited before. */
  applied: boolean;
}

/**
 * Adds `cents` to the prepaid balance of the owner with this email. The same `cause` is credited once, so a command that
 * was interrupted can be repeated.
 *
 * @throws CommandError naming the invalid argument, or when no owner has this email
 */
export async function grantOwnerCredit(
  { pool, billing }: { pool: Queryable; billing: Pick<Client<typeof BillingService>, 'grantCredit'> },
  args: { email: string; cents: string; cause: string | undefined },
): Promise<GrantedCredit> {
  const parsed = inputSchema.safeParse(args);
  if (!parsed.success) {
    throw new CommandError(`${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`);
  }
  const { email, cents, cause = randomUUID() } = parsed.data;
  const accountId = await findAccountIdByEmailKey(pool, emailKey(email));
  if (accountId === undefined) {
    throw new CommandError(`no owner has the email ${email}; check its spelling`);
  }
  const principal = createMessage(PrincipalSchema, { kind: PrincipalKind.SYSTEM, accountId });
  const { balanceMicrocents, applied } = await billing.grantCredit(
    {
      target: { case: 'account', value: true },
      amountMicrocents: BigInt(cents) * MICROCENTS_PER_CENT,
      reason: 'adjustment',
      cause: `operator:${cause}`,
    },
    startCall({ principal, timeoutMs: TIMEOUT_MS }),
  );
  return { accountId, balanceCents: balanceMicrocents / MICROCENTS_PER_CENT, cause, applied };
}
