import { AppError } from '@tollgate/errors';
import { lacksMethod } from '@tollgate/rpc';

/** Awaits a method that a service's previous version lacks during a rollout. @throws AppError SERVICE_UNAVAILABLE */
export async function whenSupported<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    const message = 'the service is being updated and cannot do this yet: try again in a minute';
    throw new AppError('SERVICE_UNAVAILABLE', message, { retryable: true, cause: error });
  }
}
