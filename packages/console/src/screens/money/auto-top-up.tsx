import { useQuery } from '@tanstack/react-query';
import type { autoTopUpSchema, cardSetupCheckoutSchema } from '@tollgate/api/billing';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { call, get } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import { useAction } from '../../api/use-action.js';
import { formatCents, readCents } from '../../format/money.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { CheckField, TextField } from '../../parts/field.js';
import { Failure, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useTexts } from '../../shell/use-list-search.js';

type Settings = z.output<typeof autoTopUpSchema>;

const PATH = '/account/billing/auto-topup';
const KEY = ['account', 'auto-topup'];

/** In the address to which the payment processor leads back. */
const CARD_STORED = 'card-stored';
const READ_AGAIN_MS = 1_000;
const READS_MAX = 30;

/** Charges of the stored card when the account's balance is low. */
export function AutoTopUp() {
  const [{ status }] = useTexts();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<Settings>(PATH, {}, signal),
    // The browser may be back before the processor has reported the card.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      status === CARD_STORED && data?.payment_method === undefined && dataUpdateCount < READS_MAX
        ? READ_AGAIN_MS
        : false,
  });
  return (
    <Card title="Automatic top-up">
      <Loaded query={query}>
        {(settings) => (
          <div className="grid gap-6 lg:grid-cols-2">
            <SettingsForm key={JSON.stringify(settings)} settings={settings} />
            <State settings={settings} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const [isEnabled, setEnabled] = useState(settings.enabled);
  const [threshold, setThreshold] = useState(toText(settings.threshold_cents, 1_000));
  const [amount, setAmount] = useState(toText(settings.amount_cents, 5_000));
  const [thresholdCents, amountCents] = [readCents(threshold), readCents(amount)];
  const hasCard = settings.payment_method !== undefined;
  const save = useAction({
    act: () => {
      const body = { enabled: isEnabled, threshold_cents: thresholdCents, amount_cents: amountCents };
      return call<Settings>('PUT', PATH, { body });
    },
    changes: [KEY],
    done: 'Automatic top-up saved',
  });
  const faults = readFieldFaults(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (thresholdCents !== undefined && amountCents !== undefined) save.mutate();
  };
  const invalid = 'An amount such as 50.00';
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <CheckField
        label="Top up automatically"
        hint={hasCard ? 'The stored card is charged.' : 'Needs a stored card.'}
        disabled={!hasCard}
        checked={isEnabled}
        onChange={(event) => setEnabled(event.target.checked)}
      />
      <TextField
        label="When the balance falls below"
        inputMode="decimal"
        required
        value={threshold}
        fault={thresholdCents === undefined ? invalid : faults.threshold_cents}
        onChange={(event) => setThreshold(event.target.value)}
      />
      <TextField
        label="Top up by"
        inputMode="decimal"
        required
        value={amount}
        fault={amountCents === undefined ? invalid : faults.amount_cents}
        onChange={(event) => setAmount(event.target.value)}
      />
      {save.error && <Failure error={save.error} />}
      <footer>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          Save
        </Button>
      </footer>
    </form>
  );
}

/** Opens a page of the payment processor, which leads back here. */
function startCardSetup(): Promise<z.output<typeof cardSetupCheckoutSchema>> {
  const here = `${location.origin}${location.pathname}`;
  const body = { success_url: `${here}?status=${CARD_STORED}`, cancel_url: here };
  return call('POST', `${PATH}/checkout`, { body });
}

/** The proposed amount where none was chosen. */
function toText(cents: number, proposed: number): string {
  return ((cents === 0 ? proposed : cents) / 100).toFixed(2);
}

function State({ settings }: { settings: Settings }) {
  const { payment_method: card, failure_count: failures, last_triggered_at: last, limits } = settings;
  const [isRemoving, setRemoving] = useState(false);
  const store = useAction({
    act: startCardSetup,
    changes: [],
    onDone: ({ checkout_url: url }) => location.assign(url),
  });
  const remove = useAction({
    act: () => call('DELETE', PATH),
    changes: [KEY],
    done: 'Card removed',
    onDone: () => setRemoving(false),
  });
  return (
    <div className="flex flex-col gap-4">
      <Facts
        rows={[
          [
            'Card',
            card ? `${card.brand} ending in ${card.last4}, valid to ${card.exp_month}/${card.exp_year}` : 'none',
          ],
          ['Last charge', <When key="last" at={last} />],
          ['Failures in a row', failures === 0 ? 'none' : `${failures}; disabled after the fifth`],
          ['One charge', `${formatCents(limits.min_topup_cents)} to ${formatCents(limits.max_single_cents)}`],
          ['At most per day', formatCents(limits.max_daily_cents)],
          ['At most per month', formatCents(limits.max_monthly_cents)],
        ]}
      />
      {!card && (
        <p className="text-soft">The payment processor stores the card on its own page. Nothing is charged there.</p>
      )}
      {store.error && <Failure error={store.error} />}
      <footer className="flex flex-wrap gap-2">
        <Button isBusy={store.isPending} onClick={() => store.mutate()}>
          {card ? 'Replace the card' : 'Store a card'}
        </Button>
        {card && (
          <Button look="danger" onClick={() => setRemoving(true)}>
            Remove the card
          </Button>
        )}
      </footer>
      {isRemoving && (
        <Confirm
          title="Remove the card"
          action="Remove"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          Automatic top-ups end, and the card is removed from the payment processor.
        </Confirm>
      )}
    </div>
  );
}
