import type { TierChangePreview } from '../api/types.js';
import { formatCents } from '../format/money.js';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** Puts the service's answer into sentences. It computes nothing. */
export function describeConsequences(
  preview: TierChangePreview,
  names: { from?: string | undefined; to: string },
): string[] {
  return [
    ...describeStart(preview, names),
    ...describeMoney(preview),
    ...describeModels(preview),
    ...describeLimits(preview),
  ];
}

function describeStart(
  { action, effective_at: at }: TierChangePreview,
  { from, to }: { from?: string | undefined; to: string },
): string[] {
  if (at !== undefined) return [`You keep ${from ?? 'your plan'} until ${formatDate(at)}. Then your plan is ${to}.`];
  return [action === 'checkout' ? `${to} starts when the payment is confirmed.` : `${to} starts at once.`];
}

function describeMoney(preview: TierChangePreview): string[] {
  const { due_now_cents: due, credit_cents: credit, currency, next_amount_cents: next, next_at: nextAt } = preview;
  const lines: string[] = [];
  if (preview.trial_days !== undefined) lines.push(`The first ${preview.trial_days} days are free.`);
  if (due > 0) lines.push(`You pay ${formatCents(due, currency)} now.`);
  else lines.push('You pay nothing now.');
  if (credit > 0) lines.push(`${formatCents(credit, currency)} of what you have paid is deducted from later payments.`);
  if (next !== undefined && nextAt !== undefined) {
    const regular = `${formatCents(next, currency)} on ${formatDate(nextAt)}`;
    if (credit === 0) lines.push(`The next payment is ${regular}.`);
    else if (credit < next) lines.push(`The next regular payment is ${regular}, less this credit.`);
    else lines.push(`It covers the next regular payment, ${regular}: you pay nothing then.`);
  } else if (preview.effective_at !== undefined) lines.push('There are no payments after that.');
  return lines;
}

function describeModels({ lost_models: lost, added_models: added }: TierChangePreview): string[] {
  return [
    ...(lost.length > 0 ? [`You lose ${lost.join(', ')}.`] : []),
    ...(added.length > 0 ? [`You get ${added.join(', ')}.`] : []),
  ];
}

function describeLimits({ spend_limit_cents: limit, loses_wallet: losesWallet }: TierChangePreview): string[] {
  const lines: string[] = [];
  if (limit) lines.push(`Your usage limit changes from ${describeLimit(limit.from)} to ${describeLimit(limit.to)}.`);
  if (losesWallet) lines.push('Your wallet no longer pays for requests; its balance is kept.');
  return lines;
}

function describeLimit(cents: number | null): string {
  return cents === null ? 'unlimited' : formatCents(cents);
}

function formatDate(at: string): string {
  return day.format(new Date(at));
}
