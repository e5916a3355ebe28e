import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { WebhookDelivery } from '../../api/types.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Select } from '../../parts/field.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { DeliveryDialog } from './delivery-dialog.js';

const LIMIT = 50;
/** Deliveries end while the page is open. */
const REFRESH_MS = 5_000;

const STATUSES = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['pending', 'Pending'],
] as const;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<WebhookDelivery>();
  const query = useQuery({
    queryKey: ['deliveries', webhookId, status, offset],
    queryFn: ({ signal }) =>
      get<{ events: WebhookDelivery[]; next_cursor?: string }>(
        `/projects/${projectId}/webhooks/${webhookId}/events`,
        { limit: LIMIT, offset, status },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const filter = <Select aria-label="Status" className="!w-32" value={status} options={STATUSES} onPick={setStatus} />;
  return (
    <Card title="Deliveries" aside={filter} isFlush>
      <Loaded query={query}>
        {({ events, next_cursor: next }) =>
          events.length === 0 && offset === 0 ? (
            <Empty title="No deliveries" hint="An event appears here as soon as it is due for this endpoint." />
          ) : (
            <>
              <DataTable label="Deliveries" rows={events} columns={columns(setOpen)} getKey={({ id }) => id} />
              <Pager offset={offset} count={events.length} limit={LIMIT} next={next} onMove={move} />
            </>
          )
        }
      </Loaded>
      {open && <DeliveryDialog delivery={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function columns(onOpen: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] {
  return [
    { header: 'Event', cell: ({ event_type: type }) => <span className="font-medium">{type}</span> },
    { header: 'Status', cell: ({ status }) => <Status value={status} /> },
    { header: 'Answer', cell: ({ response_status: status, error }) => status ?? error ?? '–', isSecondary: true },
    { header: 'Attempts', cell: ({ attempt_count: count }) => count, isFigure: true, isSecondary: true },
    { header: 'When', cell: ({ created_at: at }) => <When at={at} /> },
    {
      header: 'Actions',
      isFigure: true,
      cell: (delivery) => (
        <Button
          look="quiet"
          aria-label={`Show ${delivery.event_type} ${delivery.event_id}`}
          onClick={() => onOpen(delivery)}
        >
          Show
        </Button>
      ),
    },
  ];
}
