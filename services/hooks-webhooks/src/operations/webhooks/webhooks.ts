import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { openSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../context.js';
import { isBase64Secret } from '../../domain/webhooks/signature.js';
import { WEBHOOKS_PER_PROJECT_MAX, type Webhook } from '../../domain/webhooks/webhook.js';
import {
  findWebhook,
  insertWebhook,
  markWebhookDeleted,
  setWebhookEnabled,
  updateWebhook as update,
} from '../../store/webhooks.js';
import { readSettings, type SettingsInput } from '../read-settings.js';
import { newSigningSecret } from '../signing-secrets.js';
import { cancelPending } from './cancel-pending.js';

type CreateWebhookContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool'>;

export interface CreateWebhookCommand extends SettingsInput {
  enabled?: boolean | undefined;
}

/** Returns the secret, which no later response contains. */
export async function createWebhook(
  ctx: CreateWebhookContext,
  projectId: string,
  command: CreateWebhookCommand,
): Promise<{ webhook: Webhook; signingSecret: string }> {
  const settings = readSettings(command, ctx.endpointRules);
  const id = randomUUID();
  const enabled = command.enabled ?? true;
  const { secret, sealed } = newSigningSecret(ctx.keyring, 'whsec_', id);
  const now = ctx.clock.now();
  const webhook: Webhook = {
    id,
    projectId,
    endpointUrl: settings.endpointUrl,
    eventTypes: settings.eventTypes,
    signatureForm: settings.signatureForm ?? 'body',
    retrySchedule: settings.retrySchedule ?? 'standard',
    enabled,
    disabledReason: enabled ? undefined : 'owner',
    secret: sealed,
    createdAt: now,
    updatedAt: now,
  };
  const isInserted = await withTransaction(ctx.pool, (tx) => insertWebhook(tx, webhook, WEBHOOKS_PER_PROJECT_MAX));
  if (!isInserted)
    throw new AppError('INVALID_INPUT', `a project can have at most ${WEBHOOKS_PER_PROJECT_MAX} webhooks`);
  return { webhook, signingSecret: secret };
}

/** @throws AppError NOT_FOUND, including for a webhook of another project */
export async function requireWebhook(ctx: Pick<Context, 'pool'>, projectId: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(ctx.pool, projectId, id);
  if (!webhook) throw webhookNotFound();
  return webhook;
}

function webhookNotFound(): AppError {
  return new AppError('NOT_FOUND', 'webhook not found');
}

type UpdateWebhookContext = Pick<Context, 'clock' | 'endpointRules' | 'keyring' | 'pool' | 'queuePool'>;

/** How long receivers may take to learn a new secret. */
const OVERLAP_SECONDS = 86_400;
const OVERLAP_SECONDS_MAX = 604_800;

interface UpdateWebhookCommand extends SettingsInput {
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

/** Marks the webhook deleted, which stops new attempts at once; the sweeper deletes the rows later in batches. */
export async function deleteWebhook(
  ctx: Pick<Context, 'clock' | 'pool' | 'queuePool'>,
  projectId: string,
  id: string,
): Promise<void> {
  const isDeleted = await markWebhookDeleted(ctx.pool, projectId, id, ctx.clock.now());
  if (!isDeleted) throw webhookNotFound();
  await cancelPending(ctx, id);
}
