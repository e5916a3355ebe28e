import { fromBackgroundResponseId } from '@tollgate/api/compatible';
import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../../context.js';

type Parts = Pick<Context, 'clients'>;
type Action = 'getBackgroundResponse' | 'cancelBackgroundResponse';

/**
 * Returns a response that is stored, or made in the background and not stored yet. `cancelBackgroundResponse` stops the latter.
 *
 * @throws AppError NOT_FOUND
 */
export async function readResponse({ clients }: Parts, action: Action, id: string, call: Call): Promise<unknown> {
  if (fromBackgroundResponseId(id) !== undefined) {
    const { backgroundResponses } = clients;
    const found = await catchNotFound<{ responseJson: Uint8Array }>(backgroundResponses[action]({ id }, call));
    if (found && found.responseJson.length > 0) return parse(found.responseJson);
  }
  const { responseJson } = await clients.storedResponses.getResponse({ responseId: id }, call);
  return parse(responseJson);
}

/** Deletes a response wherever it is. @throws AppError NOT_FOUND */
export async function removeResponse({ clients }: Parts, id: string, call: Call): Promise<void> {
  const isBackground = fromBackgroundResponseId(id) !== undefined;
  const deleted =
    isBackground && (await catchNotFound(clients.backgroundResponses.deleteBackgroundResponse({ id }, call)));
  const stored = clients.storedResponses.deleteResponse({ responseId: id }, call);
  await (deleted ? catchNotFound(stored) : stored);
}

async function catchNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json).toString('utf8'));
}
