import { AppError } from '@tollgate/errors';

/** Returns the error for a field that cannot be converted. */
export function refused(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}

/** Returns the error for a field that only the dialect's own vendor supports, when another provider serves the model. */
export function vendorOnly(field: string, message: string): AppError {
  return new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field, message }] });
}

/** Most characters of a function's name at OpenAI, which does not allow dots either. */
const NAME_CHARS_MAX = 64;

/** Whether OpenAI refuses a function of this name, which is accepted here: such a body is converted. */
export function isRefusedName(name: string): boolean {
  return name.length > NAME_CHARS_MAX || name.includes('.');
}
