import { AppError } from '@tollgate/errors';
import { openSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../context.js';
import { isBase64Secret } from '../../domain/webhooks/signature.js';
import type { Webhook } from '../../domain/webhooks/webhook.js';
import { setWebhookEnabled, updateWebhook as update } from '../../store/webhooks.js';
import { readSettings, type SettingsInput } from '../read-settings.js';
import { newSigningSecret } from '../signing-secrets.js';
import { cancelPending } from './cancel-pending.js';
import { requireWebhook, webhookNotFound } from './require-webhook.js';

type UpdateWebhookContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool' | 'queuePool'>;

/** How long receivers may take to learn a new secret. */
const OVERLAP_SECONDS = 86_400;
const OVERLAP_SECONDS_MAX = 604_800;

export interface UpdateWebhookCommand extends SettingsInput {
  enabled?: boolean | undefined;
  rotateSecret: boolean;
  /** With `rotateSecret`: how long the secret before signs beside the new one. */
  overlapSeconds?: number | undefined;
}

/**
 * Changes only the given settings, so that a concurrent edit does not enable a webhook that failed deliveries just
 * disabled. Enabling a disabled webhook resets its failures; disabling one cancels its pending deliveries.
 */
export async function updateWebhook(
  ctx: UpdateWebhookContext,
  projectId: string,
  id: string,
  command: UpdateWebhookCommand,
): Promise<{ webhook: Webhook; signingSecret: string | undefined }> {
  const before = await requireWebhook(ctx, projectId, id);
  const settings = readSettings(command, ctx.endpointRules);
  const overlapSeconds = requireOverlap(command);
  const rotated = command.rotateSecret ? newSigningSecret(ctx.keyring, 'whsec_', before.id) : undefined;
  if (!rotated && settings.signatureForm === 'standard') requireBase64Secret(ctx, before);
  if (command.enabled === true) await setWebhookEnabled(ctx.pool, before.id, { enabled: true });
  if (command.enabled === false)
    await setWebhookEnabled(ctx.pool, before.id, { enabled: false, disabledReason: 'owner' });
  const updatedAt = ctx.clock.now();
  const previousUntil = new Date(updatedAt.getTime() + overlapSeconds * 1_000);
  const change = { ...settings, secret: rotated?.sealed, previousUntil, updatedAt };
  const webhook = await update(ctx.pool, projectId, before.id, change);
  if (!webhook) throw webhookNotFound();
  if (!webhook.enabled) await cancelPending(ctx, webhook.id);
  return { webhook, signingSecret: rotated?.secret };
}

/** @throws AppError VALIDATION_ERROR */
function requireOverlap({ rotateSecret, overlapSeconds }: UpdateWebhookCommand): number {
  if (overlapSeconds === undefined) return OVERLAP_SECONDS;
  const isInRange = overlapSeconds >= 0 && overlapSeconds <= OVERLAP_SECONDS_MAX;
  if (rotateSecret && isInRange) return overlapSeconds;
  const message = isInRange
    ? 'overlap_seconds requires rotate_secret'
    : `overlap_seconds must be between 0 and ${OVERLAP_SECONDS_MAX}`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'overlap_seconds', message }] });
}

/** @throws AppError VALIDATION_ERROR when receivers cannot decode the current secret in the standard form */
function requireBase64Secret({ keyring }: Pick<Context, 'keyring'>, { id, secret }: Webhook): void {
  if (isBase64Secret(openSecret(keyring, secret, id))) return;
  const message =
    'signature_form standard requires a base64 secret, which this webhook does not have: set rotate_secret';
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'signature_form', message }] });
}
