import { AppError } from '@tollgate/errors';

/** The error for files that cannot be compiled. The message is public: it names the files and their faults. */
export function parseFailed(message: string): AppError {
  return new AppError('parse_failed', message);
}
