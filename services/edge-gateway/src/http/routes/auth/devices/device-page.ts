import type { OAuthProviderId } from '../../../../auth/oauth-providers.js';
import { escapeHtml } from '../../../../domain/mail/escape-html.js';
import type { JsonResult } from '../../../exchange/route.js';

export interface DevicePage {
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
