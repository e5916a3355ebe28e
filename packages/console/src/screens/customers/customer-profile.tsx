import type { CustomerEnvelope, Subscription } from '../../api/types.js';
import { formatCents } from '../../format/money.js';
import { formatMoment } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/card.js';
import { Id, Json } from '../../parts/copy.js';

export function CustomerProfile({ envelope: { customer, subscription } }: { envelope: CustomerEnvelope }) {
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Card title="Customer">
        <Facts
          rows={[
            ['Id', <Id key="id" value={customer.id} />],
            ['External id', <Id key="external" value={customer.external_id} />],
            ['Email', customer.email],
            ['Created', formatMoment(customer.created_at)],
            ...(customer.blocked_at === undefined
              ? []
              : [['Blocked', <Status key="blocked" value="blocked" />] as const]),
          ]}
        />
      </Card>
      <Card title="Subscription">
        {subscription ? (
          <Facts rows={toRows(subscription)} />
        ) : (
          <p className="text-soft">No subscription yet. Change the tier to start one.</p>
        )}
      </Card>
      {Object.keys(customer.metadata).length > 0 && (
        <Card title="Metadata">
          <Json value={customer.metadata} label="metadata" />
        </Card>
      )}
    </div>
  );
}

function toRows(subscription: Subscription) {
  const { price_amount_cents: cents, price_currency: currency, price_interval: interval } = subscription;
  const price = cents === undefined ? 'free' : `${formatCents(cents, currency)} a ${interval}`;
  const period = [subscription.current_period_start, subscription.current_period_end].map(formatMoment).join(' – ');
  return [
    ['Tier', `${subscription.tier_display_name} (${subscription.tier_code})`],
    ['Status', <Status key="status" value={subscription.subscription_status} />],
    ['Price', price],
    ['Period', period],
    ['Billed by', subscription.billing_provider ?? '–'],
  ] as const;
}
