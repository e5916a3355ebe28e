import { call } from '../../api/client.js';
import type { WebhookDelivery } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { formatDuration, formatMoment } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Facts } from '../../parts/card.js';
import { Id, Json } from '../../parts/copy.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

type Attempt = WebhookDelivery['attempts'][number];

const COLUMNS: readonly Column<Attempt>[] = [
  { header: 'Attempt', cell: ({ attempt }) => attempt },
  { header: 'Outcome', cell: ({ outcome }) => <Status value={outcome} /> },
  { header: 'Answer', cell: ({ response_status: status, error }) => status ?? error ?? '–' },
  { header: 'Took', cell: ({ latency_ms: ms }) => (ms === undefined ? '–' : formatDuration(ms)), isFigure: true },
];

/** One delivery with its payload and its attempts. */
export function DeliveryDialog({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }) {
  const projectId = useProjectId();
  const { id, webhook_config_id: webhookId, event_id: eventId } = delivery;
  const resend = useAction({
    act: () => call('POST', `/projects/${projectId}/webhooks/${webhookId}/events/${id}/redeliver`, { body: {} }),
    changes: [['deliveries', webhookId]],
    done: 'Event sent again',
    onDone: onClose,
  });
  return (
    <Dialog title={delivery.event_type} isWide onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Facts
          rows={[
            ['Status', <Status key="status" value={delivery.status} />],
            ['Event id', <Id key="id" value={eventId} />],
            ['Created', formatMoment(delivery.created_at)],
          ]}
        />
        {delivery.attempts.length > 0 && (
          <DataTable label="Attempts" rows={delivery.attempts} columns={COLUMNS} getKey={({ started_at: at }) => at} />
        )}
        <Json value={delivery.payload} label="payload" />
        {resend.error && <Failure error={resend.error} />}
        <footer className="flex justify-end">
          <Button look="primary" needs="resources.manage" isBusy={resend.isPending} onClick={() => resend.mutate()}>
            Send again
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
