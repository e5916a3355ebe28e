import { useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Webhook } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { FormDialog } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** The types of events, with what they are for; a type of the API that is missing here does not compile. */
const EVENTS: Readonly<Record<Webhook['events'][number], string>> = {
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted.',
  'usage.threshold_exceeded': 'A customer has used most of a limit.',
  'request.completed': 'A request has ended and was charged.',
  'billing.subscription_changed': 'A subscription started, changed or ended.',
  'billing.payment_succeeded': 'A customer has paid.',
  'billing.payment_refunded': 'A payment was refunded.',
  'billing.payment_failed': 'A card could not be charged, or a payment will not be credited.',
  'billing.dispute_opened': 'A customer disputes a payment at the bank.',
  'account.admission_blocked': "The account's balance refused a request.",
};

const FORMS = [
  ['standard', 'Standard Webhooks'],
  ['timestamped', 'Timestamped'],
  ['body', 'Body only'],
] as const;

export interface CreateWebhookProps {
  onClose: () => void;
  onSecret: (secret: string | undefined) => void;
}

export function CreateWebhook({ onClose, onSecret }: CreateWebhookProps) {
  const projectId = useProjectId();
  const [url, setUrl] = useState('');
  const [form, setForm] = useState('standard');
  const [events, setEvents] = useState<readonly string[]>(['request.completed']);
  const create = useAction({
    act: () =>
      call<{ webhook: Webhook }>('POST', `/projects/${projectId}/webhooks`, {
        body: { endpoint_url: url, events, signature_form: form },
      }),
    changes: [['webhooks', projectId]],
    onDone: ({ webhook }) => {
      onClose();
      onSecret(webhook.signing_secret);
    },
  });
  const toggle = (event: string, isOn: boolean) =>
    setEvents((before) => (isOn ? [...before, event] : before.filter((each) => each !== event)));
  return (
    <FormDialog
      title="New webhook"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Endpoint"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        value={url}
        fault={readFieldFaults(create.error).endpoint_url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField label="Signature" value={form} options={FORMS} onPick={setForm} />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 font-medium">Events</legend>
        {Object.entries(EVENTS).map(([event, hint]) => (
          <CheckField
            key={event}
            label={event}
            hint={hint}
            checked={events.includes(event)}
            onChange={({ target }) => toggle(event, target.checked)}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
