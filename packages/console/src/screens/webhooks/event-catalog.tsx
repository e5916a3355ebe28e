import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { WebhookEventType } from '../../api/types.js';
import { Card } from '../../parts/card.js';
import { Json } from '../../parts/copy.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/states.js';

/** The events that a webhook can receive, with an example of each body. */
export function EventCatalog() {
  const [shown, setShown] = useState<WebhookEventType>();
  const query = useQuery({
    queryKey: ['webhook-event-types'],
    queryFn: ({ signal }) => get<{ event_types: WebhookEventType[] }>('/webhook-event-types', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const columns: readonly Column<WebhookEventType>[] = [
    {
      header: 'Event',
      cell: (type) => (
        <button type="button" className="font-mono text-xs hover:underline" onClick={() => setShown(type)}>
          {type.type}
        </button>
      ),
    },
    { header: 'Sent when', cell: ({ description }) => description },
  ];
  return (
    <Card title="Event types" isFlush>
      <Loaded query={query}>
        {({ event_types: types }) => (
          <DataTable label="Event types" rows={types} columns={columns} getKey={({ type }) => type} />
        )}
      </Loaded>
      {shown && (
        <Dialog title={shown.type} isWide onClose={() => setShown(undefined)}>
          <div className="flex flex-col gap-4">
            <p className="text-soft">{shown.description}.</p>
            <Json value={shown.example} label="example" />
            <Json value={shown.schema} label="schema" />
          </div>
        </Dialog>
      )}
    </Card>
  );
}
