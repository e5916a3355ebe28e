import type { CustomerTokenResponse } from '@tollgate/api/identity';
import type { CustomerToken } from '../../../operations/tokens/mint-customer-token.js';

export function customerTokenJson(minted: CustomerToken, projectId: string): CustomerTokenResponse {
  return {
    token: minted.token,
    token_type: 'Bearer',
    expires_at: minted.expiresAt.toISOString(),
    expires_in: minted.ttlSeconds,
    project_id: projectId,
    customer_id: minted.customerId,
    customer_external_id: minted.externalId,
    ...(minted.tierCode !== '' && { tier_code: minted.tierCode }),
    ...(minted.billingProfileId !== '' && { billing_profile_id: minted.billingProfileId }),
  };
}
