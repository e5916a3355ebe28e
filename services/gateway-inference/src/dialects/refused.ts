import { AppError } from '@tollgate/errors';

/** Returns the error for a field that cannot be converted. */
export function refused(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}

/** Returns the error for a field that only the dialect's own vendor supports, when another provider serves the model. */
export function vendorOnly(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}
