import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { TierRecord } from '../../tiers/write-tier.js';

/**
 * Keeps customers away from private tiers, except from their own and from the default tier, which follows a cancellation.
 * The owner's keys may choose any tier. @throws AppError CONFLICT
 */
export function requireOffered(principal: Principal, tier: TierRecord, ownTierId: string | undefined): void {
  if (principal.kind !== PrincipalKind.CUSTOMER || tier.visibility !== 'private') return;
  if (tier.isDefault || tier.id === ownTierId) return;
  throw new AppError('CONFLICT', `tier ${tier.tierCode} is not offered: the project's owner has to choose it for you`);
}
