import {
  type DeviceStartResponse,
  deviceApproveBody,
  devicePageQuery,
  deviceStartResponse,
  deviceTokenBody,
  deviceTokenError,
  deviceTokenResponse,
} from '@tollgate/api/identity';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, invariant } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { OAuthProviderId } from '../../../auth/oauth-providers.js';
import type { Context } from '../../../context.js';
import { normalUserCode } from '../../../domain/device-code.js';
import { escapeHtml } from '../../../domain/mail/escape-html.js';
import { toStoredUserAgent } from '../../../domain/portal-code.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { auditActor, recordAudit } from '../../../operations/record-audit.js';
import { decideOnDevice } from '../../../operations/sign-in/approve-device.js';
import {
  DEVICE_INTERVAL_SECONDS,
  DEVICE_TTL_SECONDS,
  startDevice as start,
} from '../../../operations/sign-in/start-device.js';
import { type DeviceRefusal, takeDeviceToken as take } from '../../../operations/sign-in/take-device-token.js';
import { findPendingDevice } from '../../../store/device-sign-ins.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { customerTokenJson } from './customer-tokens.js';
import { leadToProvider, requireProvider } from './oauth.js';

export const startDevice = defineRoute({
  method: 'POST',
  path: '/auth/device/start',
  tag: 'Authentication',
  summary: 'Start a device sign-in (RFC 8628)',
  operationId: 'startDevice',
  description:
    'Returns a code for the person and a code for the device. The device shows the first and polls with the second.',
  auth: ['secret_key', 'publishable_key'],
  success: { status: 201, schema: deviceStartResponse },
  handler: async ({ principal, headers }, ctx) => {
    if (principal.keySpendLimitMicrocents !== undefined) {
      throw new AppError('FORBIDDEN', 'a spend-limited key cannot mint customer tokens');
    }
    const page = `${publicBaseUrl(ctx, headers)}/api/v1/auth/device`;
    const { deviceCode, userCode } = await start(ctx, principal.projectId);
    const body: DeviceStartResponse = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_TTL_SECONDS,
      interval: DEVICE_INTERVAL_SECONDS,
    };
    return { body };
  },
});

export const showDevicePage = defineRoute({
  method: 'GET',
  path: '/auth/device',
  tag: 'Authentication',
  summary: 'Show the page on which a person enters the code of a device',
  operationId: 'showDevicePage',
  description: 'The page works without scripts.',
  auth: 'none',
  query: devicePageQuery,
  success: { status: 200, schema: z.string(), contentType: 'text/html' },
  handler: async ({ query }, ctx) => {
    const providers = ctx.oauth.names;
    if (ctx.oauth.ids.length === 0) {
      const code = query.user_code === undefined ? 'the code of your device' : `the code ${query.user_code}`;
      return devicePage({ message: `Sign in to the app that sent you here and enter ${code} there.` });
    }
    const form = { userCode: query.user_code ?? '', providers };
    return devicePage({
      message: 'Enter the code that your device shows. Continue only if the device is yours.',
      form,
    });
  },
});

const form = z.object({ user_code: z.string().max(32), provider: z.enum(['github', 'google']) });

/** Receives the page's form; its limit per address prevents guessing codes. */
export const continueDevice = defineRoute({
  method: 'POST',
  path: '/auth/device',
  tag: 'Authentication',
  summary: 'Continue from the device page to the provider; sent by its form',
  operationId: 'continueDevice',
  description: 'The form of the device page sends the code that the person entered.',
  auth: 'none',
  success: { status: 303 },
  alsoAnswers: [
    { status: 400, contentType: 'text/html' },
    { status: 404, contentType: 'text/html' },
  ],
  refusals: [404],
  handler: async ({ rawBody, headers, address }, ctx) => {
    await enforceSignInLimit('device', address, undefined, ctx);
    const sent = form.safeParse(Object.fromEntries(new URLSearchParams(rawBody.toString('utf8'))));
    if (!sent.success) return { ...devicePage({ message: 'The form is incomplete.' }), status: 400 };
    const { user_code: userCode, provider } = sent.data;
    requireProvider(ctx, provider);
    const device = await findPendingDevice(ctx.pool, normalUserCode(userCode));
    if (!device) {
      const again = { userCode, providers: ctx.oauth.names };
      return { ...devicePage({ message: 'No pending device sign-in has this code.', form: again }), status: 404 };
    }
    return leadToProvider(ctx, headers, { provider, deviceCodeHash: device.device_code_hash });
  },
});

/** For apps with their own sign-in: their backend or the signed-in customer approves the code. */
export const approveDevice = defineRoute({
  method: 'POST',
  path: '/auth/device/approve',
  tag: 'Authentication',
  summary: 'Approve or deny a device by the code it shows',
  operationId: 'approveDevice',
  description:
    'For apps with a sign-in of their own: a backend names the customer, or the customer approves with its own token.',
  auth: ['secret_key', 'customer'],
  body: deviceApproveBody,
  success: { status: 204 },
  handler: async ({ body, principal, address, call }, ctx) => {
    await enforceSignInLimit('device', address, undefined, ctx);
    if (body.decision === 'deny') {
      await decideOnDevice(ctx, principal, body.user_code, { status: 'denied' });
    } else {
      const customerId = await requireCustomer(ctx, principal, body, call);
      await decideOnDevice(ctx, principal, body.user_code, { status: 'approved', customerId });
    }
    await recordAudit(ctx, {
      accountId: principal.accountId,
      projectId: principal.projectId,
      action: body.decision === 'deny' ? 'device.denied' : 'device.approved',
      ...auditActor(principal),
      address,
      requestId: call.requestId,
    });
    return { status: 204 };
  },
});

/** Returns the customer that the device will act for. @throws AppError NOT_FOUND, VALIDATION_ERROR */
async function requireCustomer(
  ctx: Pick<Context, 'clients'>,
  principal: Principal,
  body: z.output<typeof deviceApproveBody>,
  call: Call,
): Promise<string> {
  const { customer_id: id, customer_external_id: externalId } = body;
  if (principal.kind === PrincipalKind.CUSTOMER) {
    if (id === undefined && externalId === undefined) return principal.customerId;
    throw new AppError('FORBIDDEN', 'a customer can approve only for itself');
  }
  if (id === undefined && externalId === undefined) {
    const message = 'this or customer_external_id is required with a secret key';
    throw new AppError('VALIDATION_ERROR', `customer_id: ${message}`, { fields: [{ field: 'customer_id', message }] });
  }
  const by =
    id === undefined
      ? ({ case: 'externalId', value: externalId! } as const)
      : ({ case: 'id', value: id.toLowerCase() } as const);
  const { envelope } = await ctx.clients.billing.getCustomer({ by }, call);
  invariant(envelope?.customer, 'billing answered without the customer');
  return envelope.customer.id;
}

/** Renders errors in the form of RFC 8628, section 3.5. */
export const takeDeviceToken = defineRoute({
  method: 'POST',
  path: '/auth/device/token',
  tag: 'Authentication',
  summary: 'Poll for the token of a device sign-in',
  operationId: 'pollDeviceToken',
  description:
    'Call it at the interval that the start returned. Until the device is approved, the answer is 400 with `authorization_pending` or `slow_down`.',
  auth: ['secret_key', 'publishable_key'],
  body: deviceTokenBody,
  success: { status: 200, schema: deviceTokenResponse },
  alsoAnswers: [{ status: 400, schema: deviceTokenError }],
  handler: async ({ body, headers, call, principal }, ctx) => {
    const userAgent = toStoredUserAgent(headers['user-agent']);
    const poll = await take(ctx, { deviceCode: body.device_code, userAgent }, call);
    if (poll.kind === 'token') return { body: customerTokenJson(poll.token, principal.projectId) };
    return { status: 400, body: describeRefusal(poll) };
  },
});

interface DevicePage {
  /** Shown above the form, or instead of it. */
  message: string;
  form?: {
    userCode: string;
    /** Their names. */
    providers: Readonly<Partial<Record<OAuthProviderId, string>>>;
  };
}

/** Renders a plain page that works without scripts. */
export function devicePage({ message, form }: DevicePage): JsonResult {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in on a device</title>
<style>body{font:16px system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}input,button{font:inherit;padding:.5rem;
margin:.25rem 0;width:100%;box-sizing:border-box}</style></head>
<body><h1>Sign in on a device</h1><p>${escapeHtml(message)}</p>${form ? formHtml(form) : ''}</body></html>`;
  return {
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      // The form redirects to a provider, so its target cannot be restricted to this host.
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'Referrer-Policy': 'no-referrer',
    },
  };
}

function formHtml({ userCode, providers }: NonNullable<DevicePage['form']>): string {
  const buttons = Object.entries(providers).map(
    ([id, name]) => `<button name="provider" value="${id}">Continue with ${escapeHtml(name)}</button>`,
  );
  return `<form method="post" action="device">
<label>Code <input name="user_code" value="${escapeHtml(userCode)}" autocomplete="off" autocapitalize="characters" required></label>
${buttons.join('\n')}</form>`;
}

const descriptions: Record<DeviceRefusal, string> = {
  authorization_pending: 'the user has not decided yet',
  slow_down: 'the device asks too often; its interval has grown',
  expired_token: 'the device code has expired, start again',
  invalid_grant: 'the device code is unknown or was used before',
  access_denied: 'the user said no',
};

/** Renders a refusal in the form of RFC 8628, section 3.5. */
export function describeRefusal({
  error,
  intervalSeconds: interval,
}: {
  error: DeviceRefusal;
  intervalSeconds?: number;
}) {
  return { error, error_description: descriptions[error], ...(interval && { interval }) };
}
