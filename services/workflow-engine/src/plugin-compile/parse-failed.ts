import { AppError } from '@tollgate/errors';

/** The files cannot be made sense of. The message may be shown: it names files and what is wrong with them. */
export function parseFailed(message: string): AppError {
  return new AppError('parse_failed', message);
}
