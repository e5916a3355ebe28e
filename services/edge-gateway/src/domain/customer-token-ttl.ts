export const CUSTOMER_TOKEN_TTL_DEFAULT_SECONDS = 7 * 86_400;
export const CUSTOMER_TOKEN_TTL_MAX_SECONDS = 30 * 86_400;

/** Clamps the requested lifetime to the tier's and the service's maximum. */
export function customerTokenTtlSeconds(requested: number | undefined, tierMax: number | undefined): number {
  const max = Math.min(tierMax ?? CUSTOMER_TOKEN_TTL_MAX_SECONDS, CUSTOMER_TOKEN_TTL_MAX_SECONDS);
  return Math.max(1, Math.min(requested ?? CUSTOMER_TOKEN_TTL_DEFAULT_SECONDS, max));
}
