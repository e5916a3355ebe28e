import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';

export const projectParams = z.object({ id: z.string() });
export const memberParams = z.object({ id: z.string(), user_id: z.string() });
export const invitationParams = z.object({ id: z.string(), invitation_id: z.string() });

/** @throws AppError NOT_FOUND for text that cannot be the id of the thing */
export function requireId(text: string, thing: 'member' | 'invitation'): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new AppError('NOT_FOUND', `${thing} not found`);
}
