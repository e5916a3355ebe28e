import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Webhook } from '../../api/types.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { SecretDialog } from '../../parts/secret.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { EventCatalog } from './event-catalog.js';
import { WebhookDialog } from './webhook-dialog.js';

const LIMIT = 200;

export function WebhooksScreen() {
  const projectId = useProjectId();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const query = useQuery({
    queryKey: ['webhooks', projectId],
    queryFn: ({ signal }) => get<{ webhooks: Webhook[] }>(`/projects/${projectId}/webhooks`, { limit: LIMIT }, signal),
  });
  const create = (
    <Button look="primary" needs="resources.manage" onClick={() => setCreating(true)}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" hint="Signed events for your servers, with retries." actions={create}>
      <Card isFlush>
        <Loaded query={query}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Empty
                title="No webhooks yet"
                hint="Your server gets an event when a customer changes, a request ends or a limit is near."
              />
            ) : (
              <DataTable label="Webhooks" rows={webhooks} columns={COLUMNS} getKey={({ id }) => id} />
            )
          }
        </Loaded>
      </Card>
      <EventCatalog />
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} onSecret={setSecret} />}
      {secret !== undefined && (
        <SecretDialog
          title="Signing secret"
          secret={secret}
          hint="Your server verifies events with it."
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { header: 'Endpoint', cell: (webhook) => <WebhookLink webhook={webhook} /> },
  { header: 'Events', cell: ({ events }) => events.length, isFigure: true },
  { header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { header: 'Created', cell: ({ created_at: at }) => <When at={at} />, isSecondary: true },
];

function WebhookLink({ webhook: { id, endpoint_url: url } }: { webhook: Webhook }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/webhooks/$webhookId"
      params={{ projectId, webhookId: id }}
      className="font-medium break-all hover:underline"
    >
      {url}
    </Link>
  );
}

const REASONS = {
  owner: 'disabled',
  failures: 'disabled after failures',
  gone: 'disabled: the endpoint answered 410',
} as const;

export function WebhookState({ webhook: { enabled, disabled_reason: reason } }: { webhook: Webhook }) {
  if (enabled) return <Badge tone="good">enabled</Badge>;
  return <Badge tone={reason === 'owner' ? 'neutral' : 'bad'}>{REASONS[reason ?? 'owner']}</Badge>;
}
