import { sessionLimits } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import { changeMetadata, type JsonObject, type Session } from '../../domain/session.js';

type Part = Pick<Session, 'metadata' | 'toolState'>;

/** @throws AppError VALIDATION_ERROR */
export function mergedMetadata(before: Part, change: JsonObject): Part {
  const merged = changeMetadata(before, change, sessionLimits.metadataBytes);
  if (merged.ok) return { metadata: merged.metadata, toolState: merged.toolState };
  const { field, message } = merged;
  throw new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
