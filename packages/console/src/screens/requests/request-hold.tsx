import type { ReactNode } from 'react';
import type { RequestDetail } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { formatMoment } from '../../format/times.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/card.js';

type Hold = NonNullable<RequestDetail['hold']>;

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  open: ['accent', 'open'],
  posted: ['good', 'settled'],
  released: ['neutral', 'released'],
  expired: ['warn', 'expired'],
  late: ['warn', 'settled late'],
};

/** The funds that were reserved for the request, and how they ended. */
export function RequestHold({ request: { hold, status } }: { request: RequestDetail }) {
  if (!hold) {
    const text = status === 'refused' ? 'Nothing was held for a refused request.' : 'The hold is not kept any more.';
    return (
      <Card title="Hold">
        <p className="text-soft">{text}</p>
      </Card>
    );
  }
  const [tone, name] = STATES[hold.state] ?? ['neutral', hold.state];
  return (
    <Card title="Hold" aside={<Badge tone={tone}>{name}</Badge>}>
      <Facts rows={toFacts(hold)} />
    </Card>
  );
}

function toFacts(hold: Hold): (readonly [string, ReactNode])[] {
  const { opened_at: openedAt, ended_at: endedAt, expires_at: expiresAt, held_for: covered } = hold;
  const output = covered.output_tokens > 0 ? `, ${formatAmount(covered.output_tokens, 'output token')}` : '';
  const images = covered.images > 0 ? `, ${formatAmount(covered.images, 'image')}` : '';
  return [
    ['Opened', openedAt === undefined ? '–' : formatMoment(openedAt)],
    endedAt === undefined
      ? ['Expires', expiresAt === undefined ? '–' : formatMoment(expiresAt)]
      : ['Ended', formatMoment(endedAt)],
    ['Covers at most', `${formatAmount(covered.input_tokens, 'input token')}${output}${images}`],
    ['Customer', toAmounts(hold.customer_held_microcents, hold.customer_charged_microcents)],
    ['Owner', toAmounts(hold.owner_held_microcents, hold.owner_charged_microcents)],
  ];
}

function toAmounts(held: number, charged: number): string {
  return `${formatMoney(held)} held, ${formatMoney(charged)} charged`;
}
