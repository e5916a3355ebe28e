import { AppError } from '@tollgate/errors';
import { lacksMethod } from '@tollgate/rpc';

/**
 * Awaits a method that the previous version of hooks-webhooks lacks during a rollout. The caller would not recognize the missing
 * method over two hops, so it gets an error that it may repeat: nothing has happened.
 *
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function whenSupported<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    const message = 'hooks-webhooks is being updated and cannot use MCP servers yet';
    throw new AppError('SERVICE_UNAVAILABLE', message, { retryable: true, cause: error });
  }
}
