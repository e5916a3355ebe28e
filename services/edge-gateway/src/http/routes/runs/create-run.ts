import type { IncomingHttpHeaders } from 'node:http';
import { createRunBody, createRunResponse } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import type { Context } from '../../../context.js';
import { readMembers } from '../../../domain/json-members.js';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { refuseUnknownModels } from '../workflows/unknown-models.js';

const NONE = new Uint8Array(0);

/**
 * Forwards the bytes of the spec and the input, which the engine parses. The engine stores the idempotency key with the
 * run; header and option share one namespace.
 */
export const createRun = defineRoute({
  method: 'POST',
  path: '/runs',
  tag: 'Runs',
  summary: 'Start a workflow run',
  operationId: 'createRun',
  description:
    'Send a spec, or the hash of a plan that the project has compiled before. The answer returns at once; follow the run by its events.',
  auth: ['secret_key', 'customer'],
  body: createRunBody,
  bodyClass: 'documents',
  success: { status: 200, schema: createRunResponse },
  refusals: [409],
  forwardsIdempotencyKey: 'or option',
  async handler({ body, rawBody, headers, call }, ctx) {
    const { spec = NONE, input = NONE } = readMembers(rawBody, ['spec', 'input']);
    requireKnownModel(ctx, body.model_override);
    await refuseUnknownModels(ctx, { value: body.spec, json: spec }, call);
    const run = await ctx.clients.workflow.createRun(
      {
        specJson: spec,
        planHash: body.plan_hash ?? '',
        inputJson: input,
        sessionId: body.session_id?.toLowerCase() ?? '',
        modelOverride: body.model_override ?? '',
        idempotencyKey: toRunKey(headers, body.options?.idempotency_key),
      },
      call,
    );
    return { body: { run_id: run.runId, status: run.status, plan_hash: run.planHash } };
  },
});

function requireKnownModel({ catalog }: Pick<Context, 'catalog'>, model: string | undefined): void {
  if (model === undefined || catalog.find(model)) return;
  const message = `unknown model ${model}`;
  throw new AppError('VALIDATION_ERROR', `model_override: ${message}`, {
    fields: [{ field: 'model_override', message }],
  });
}

function toRunKey(headers: IncomingHttpHeaders, option: string | undefined): string {
  const header = readIdempotencyKey(headers);
  if (header !== undefined && option !== undefined && header !== option) {
    throw new AppError('INVALID_INPUT', 'Idempotency-Key and options.idempotency_key differ');
  }
  return header ?? option ?? '';
}
