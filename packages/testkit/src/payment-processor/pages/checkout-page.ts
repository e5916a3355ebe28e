import { NEW_CARD, TEST_CARDS } from '../objects/cards.js';
import type {
  SessionPlan,
  WireInvoice,
  WirePortalSession,
  WireSession,
  WireSetupIntent,
  WireSubscription,
} from '../wire.js';

/** Cards to choose from; the card that is always declined has its own button. */
const CHOICES: readonly [string, string][] = [
  ...Object.entries(TEST_CARDS)
    .filter(([, card]) => !card.isRefused)
    .map(([token, card]): [string, string] => [token, `${card.label} •••• ${card.number.slice(-4)}`]),
  [NEW_CARD, 'A new card, never seen before'],
];

/** The payer's page of a checkout: one form, no scripts. */
export function checkoutPage(
  session: WireSession,
  plan: SessionPlan,
  payer: { email: string | null; error?: string | undefined },
): string {
  const { line } = plan;
  const price = session.mode === 'setup' ? '' : money(line.amount, line.currency);
  const trial = plan.trialDays ? `<p>${plan.trialDays} days free, then ${price}</p>` : '';
  const email = payer.email
    ? `<p>${escapeHtml(payer.email)}</p>`
    : `<p><label>Email<br><input type="email" name="email" autocomplete="email" ${session.mode === 'subscription' && !session.customer ? 'required' : ''}></label></p>`;
  const save = plan.offersToSave
    ? '<p><label><input type="checkbox" name="save" value="1"> Save this card for later</label></p>'
    : '';
  const every = line.interval ? ` per ${line.interval}` : '';
  const pay = session.mode === 'setup' ? 'Save card' : `Pay ${price}`;
  return page(
    'Checkout',
    `<h1>${escapeHtml(line.name)}</h1>
${price ? `<p class="price">${price}${every}</p>` : ''}${trial}${alert(payer.error)}
<form method="post" action="/pay/${escapeHtml(session.id)}">
${email}${cardChoices()}${save}
<p><button name="do" value="pay">${pay}</button>
<button name="do" value="decline" formnovalidate>Use a card that is declined</button>
<button name="do" value="cancel" formnovalidate>Cancel</button></p>
</form>`,
  );
}

/** The page of a card setup, which a real site would show itself with the processor's script. */
export function setupPage(intent: WireSetupIntent, secret: string, error?: string): string {
  return page(
    'Save a card',
    `<h1>Save a card</h1>${alert(error)}
<form method="post" action="/setup/${escapeHtml(intent.id)}">
<input type="hidden" name="client_secret" value="${escapeHtml(secret)}">
${cardChoices()}
<p><button name="do" value="pay">Save card</button>
<button name="do" value="decline">Use a card that is declined</button></p>
</form>`,
  );
}

/** The customer's page for cards, invoices and cancellation. */
export function portalPage(
  session: WirePortalSession,
  content: { subscriptions: readonly WireSubscription[]; invoices: readonly WireInvoice[] },
  message?: { text: string; isError: boolean },
): string {
  const status = content.subscriptions.map(
    ({ status, cancel_at_period_end: ends }) => `<p>Subscription: ${status}${ends ? ', ends with the period' : ''}</p>`,
  );
  const invoices = content.invoices.map(
    ({ total, currency, status }) => `<li>${money(total, currency)}, ${status}</li>`,
  );
  return page(
    'Billing',
    `<h1>Billing</h1>${message ? `<p role="${message.isError ? 'alert' : 'status'}">${escapeHtml(message.text)}</p>` : ''}
${status.join('\n')}
<form method="post" action="/portal/${escapeHtml(session.id)}">
${cardChoices()}
<p><button name="do" value="card">Use this card</button>
<button name="do" value="cancel">Cancel the subscription</button>
<button name="do" value="return">Return</button></p>
</form>
<h2>Invoices</h2><ul>${invoices.join('')}</ul>`,
  );
}

export function messagePage(title: string, text: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

function cardChoices(): string {
  const radios = CHOICES.map(
    ([token, label], i) =>
      `<label><input type="radio" name="card" value="${token}"${i === 0 ? ' checked' : ''}> ${escapeHtml(label)}</label><br>`,
  );
  return `<fieldset><legend>Card</legend>\n${radios.join('\n')}\n</fieldset>`;
}

function alert(error: string | undefined): string {
  return error ? `<p role="alert">${escapeHtml(error)}</p>` : '';
}

export function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem}
.price{font-size:1.5rem}[role=alert]{color:#b00020}button{font:inherit;margin:.25rem 0;padding:.4rem .8rem}
footer{color:#666;font-size:.85rem;margin-top:2rem}</style></head>
<body>
${body}
<footer>A simulated payment processor. No money moves.</footer>
</body></html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
