import type { Context } from '../context.js';
import type { DisabledReason } from '../domain/endpoint-health.js';
import type { Webhook } from '../domain/webhook.js';
import { updateWebhook as update } from '../store/webhooks.js';
import { cancelPending } from './cancel-pending.js';
import { type GivenSettings, readSettings } from './read-settings.js';
import { requireWebhook, webhookNotFound } from './require-webhook.js';
import { newSigningSecret } from './signing-secrets.js';

export interface UpdateWebhookCommand extends GivenSettings {
  enabled?: boolean | undefined;
  rotateSecret: boolean;
}

/** What is not given stays. Enabling a disabled webhook forgets its failures; a disabled one keeps nothing pending. */
export async function updateWebhook(
  ctx: Context,
  projectId: string,
  id: string,
  command: UpdateWebhookCommand,
): Promise<{ webhook: Webhook; signingSecret: string | undefined }> {
  const before = await requireWebhook(ctx, projectId, id);
  const settings = readSettings(command, ctx.endpointRules);
  const enabled = command.enabled ?? before.enabled;
  const rotated = command.rotateSecret ? newSigningSecret(ctx.keyring, 'whsec_', before.id) : undefined;
  const webhook = await update(ctx.prisma, projectId, before.id, {
    endpointUrl: settings.endpointUrl,
    eventTypes: settings.eventTypes,
    signatureForm: settings.signatureForm ?? before.signatureForm,
    retrySchedule: settings.retrySchedule ?? before.retrySchedule,
    enabled,
    disabledReason: disabledReasonAfter(before, enabled),
    forgetFailures: enabled && !before.enabled,
    secret: rotated?.sealed,
    updatedAt: ctx.clock.now(),
  });
  if (!webhook) throw webhookNotFound();
  if (!webhook.enabled) await cancelPending(ctx, webhook.id);
  return { webhook, signingSecret: rotated?.secret };
}

function disabledReasonAfter(before: Webhook, enabled: boolean): DisabledReason | undefined {
  if (enabled) return undefined;
  return before.enabled ? 'owner' : before.disabledReason;
}
