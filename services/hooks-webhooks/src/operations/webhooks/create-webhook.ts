import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { WEBHOOKS_PER_PROJECT_MAX, type Webhook } from '../../domain/webhooks/webhook.js';
import { insertWebhook } from '../../store/webhooks.js';
import { readSettings, type SettingsInput } from '../read-settings.js';
import { newSigningSecret } from '../signing-secrets.js';

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
