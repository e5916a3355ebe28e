import type { createWebhookBody } from '@tollgate/api/hooks';
import type { z } from 'zod';

/** Converts the settings of a create or update body; the service validates them. */
export function webhookSettings(body: z.output<typeof createWebhookBody>) {
  return {
    endpointUrl: body.endpoint_url ?? '',
    events: body.events ?? [],
    ...(typeof body.enabled === 'boolean' && { enabled: body.enabled }),
    ...(typeof body.signature_form === 'string' && { signatureForm: body.signature_form }),
    ...(typeof body.retry_schedule === 'string' && { retrySchedule: body.retry_schedule }),
  };
}
