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

const SCHEDULES = [
  ['standard', 'Standard: over days'],
  ['fast', 'Fast: over minutes'],
] as const;

export interface WebhookDialogProps {
  /** The one to change; a new one without it. */
  webhook?: Webhook;
  onClose: () => void;
  /** Called with the secret of a new one. */
  onSecret?: (secret: string) => void;
}

/** Makes a webhook, or changes one. */
export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const projectId = useProjectId();
  const [url, setUrl] = useState(webhook?.endpoint_url ?? '');
  const [form, setForm] = useState<string>(webhook?.signature_form ?? 'standard');
  const [schedule, setSchedule] = useState<string>(webhook?.retry_schedule ?? 'standard');
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['request.completed']);
  const path = `/projects/${projectId}/webhooks`;
  const body = { endpoint_url: url, events, signature_form: form, retry_schedule: schedule };
  const save = useAction({
    act: () =>
      webhook
        ? call<{ webhook: Webhook }>('PUT', `${path}/${webhook.id}`, { body })
        : call<{ webhook: Webhook }>('POST', path, { body }),
    changes: [['webhooks', projectId], ...(webhook ? [['webhook', projectId, webhook.id]] : [])],
    ...(webhook && { done: 'Webhook changed' }),
    onDone: ({ webhook: { signing_secret: secret } }) => {
      onClose();
      if (secret !== undefined) onSecret?.(secret);
    },
  });
  const toggle = (event: string, isOn: boolean) =>
    setEvents((before) => (isOn ? [...before, event] : before.filter((each) => each !== event)));
  return (
    <FormDialog
      title={webhook ? 'Change the webhook' : 'New webhook'}
      action={webhook ? 'Save' : 'Create'}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Endpoint"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        value={url}
        fault={readFieldFaults(save.error).endpoint_url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField label="Signature" value={form} options={FORMS} onPick={setForm} />
      <SelectField label="Retries" value={schedule} options={SCHEDULES} onPick={setSchedule} />
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
