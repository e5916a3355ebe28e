import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { WebhookRecovery } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatCount } from '../../format/numbers.js';
import { Dialog, FormDialog } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

const HOUR_MS = 3_600_000;
const REFRESH_MS = 1_000;
const TITLE = 'Send failed deliveries again';

/** In hours. */
const CHOICES = [
  ['1', 'One hour ago'],
  ['24', 'One day ago'],
  ['168', 'Seven days ago'],
  ['720', '30 days ago'],
] as const;

interface RecoverWebhookProps {
  webhookId: string;
  onClose: () => void;
}

/** Asks since when, starts the recovery and shows its progress. */
export function RecoverWebhook({ webhookId, onClose }: RecoverWebhookProps) {
  const path = `/projects/${useProjectId()}/webhooks/${webhookId}`;
  const [hours, setHours] = useState('24');
  const start = useAction({
    act: () => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      return call<{ recovery: WebhookRecovery }>('POST', `${path}/recover`, { body: { since } });
    },
    changes: [['deliveries', webhookId]],
  });
  if (start.data) return <Progress path={path} started={start.data.recovery} onClose={onClose} />;
  return (
    <FormDialog
      title={TITLE}
      action="Send again"
      isBusy={start.isPending}
      error={start.error}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <SelectField
        label="Since"
        value={hours}
        options={CHOICES}
        onPick={setHours}
        hint="Every delivery since then that has failed is sent again, with the same bytes and event id."
      />
    </FormDialog>
  );
}

function Progress({ path, started, onClose }: { path: string; started: WebhookRecovery; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['recovery', started.id],
    queryFn: ({ signal }) => get<{ recovery: WebhookRecovery }>(`${path}/recoveries/${started.id}`, {}, signal),
    initialData: { recovery: started },
    refetchInterval: ({ state }) => (state.data?.recovery.status === 'running' ? REFRESH_MS : false),
  });
  const { status, requeued, remaining } = query.data.recovery;
  return (
    <Dialog title={TITLE} onClose={onClose}>
      <p role="status">
        {requeued === 1 ? '1 delivery was' : `${formatCount(requeued)} deliveries were`} queued again.
        {status === 'running' && remaining > 0 && ` ${formatCount(remaining)} more to queue.`}
        {status === 'canceled' && ' The rest was canceled, because the webhook was disabled.'}
      </p>
    </Dialog>
  );
}
