import type { updateToolHookBody } from '@tollgate/api/hooks';
import type { z } from 'zod';

type Settings = Omit<z.output<typeof updateToolHookBody>, 'rotate_secret'>;

/** Converts the settings of a body for the service; null counts as absent. */
export function toolHookSettings(body: Settings) {
  return {
    ...(typeof body.enabled === 'boolean' && { enabled: body.enabled }),
    ...(typeof body.timeout_ms === 'number' && { timeoutMs: body.timeout_ms }),
    ...(typeof body.allow_mutation === 'boolean' && { allowMutation: body.allow_mutation }),
  };
}
