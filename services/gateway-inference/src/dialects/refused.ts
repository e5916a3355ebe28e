import { AppError } from '@tollgate/errors';

/** The error for a field that cannot be put into our words. */
export function refused(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}

/** The error for a field that only the dialect's own vendor understands, which gets it as it came; this provider is another. */
export function vendorOnly(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}
