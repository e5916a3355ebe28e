import { AppError } from '@tollgate/errors';
import { z } from 'zod';

export const apiKeyParams = z.object({ id: z.string() });

/** @throws AppError NOT_FOUND for text that cannot be the id of a key */
export function requireKeyId(params: z.output<typeof apiKeyParams>): string {
  const id = z.guid().toLowerCase().safeParse(params.id);
  if (!id.success) throw new AppError('NOT_FOUND', 'API key not found');
  return id.data;
}

/** @throws AppError VALIDATION_ERROR for a moment that has passed */
export function requireExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const expiresAt = new Date(text);
  if (expiresAt > now) return expiresAt;
  const message = 'must be in the future';
  throw new AppError('VALIDATION_ERROR', `expires_at: ${message}`, { fields: [{ field: 'expires_at', message }] });
}
