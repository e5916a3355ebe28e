import { fromBackgroundResponseId } from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { BackgroundOwner } from '../../store/background/background-responses.js';

/** A customer sees its own responses, and so does a key that acts for it; a project sees all of its responses. */
export function toOwner({ projectId, customerId }: Principal): BackgroundOwner {
  return { projectId, customerId: customerId || null };
}

export function readId(id: string): string {
  const uuid = fromBackgroundResponseId(id);
  if (uuid === undefined) throw notFound();
  return uuid;
}

export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'response not found: it does not exist, or is not visible to this caller', {
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}
