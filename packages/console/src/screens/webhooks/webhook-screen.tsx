import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call, get } from '../../api/client.js';
import type { Webhook } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Confirm } from '../../parts/confirm.js';
import { Id } from '../../parts/copy.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { SecretDialog } from '../../parts/secret.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { Deliveries } from './deliveries.js';
import { DeliveryStatistics } from './delivery-statistics.js';
import { RecoverWebhook } from './recover-webhook.js';
import { WebhookDialog } from './webhook-dialog.js';
import { WebhookState } from './webhooks-screen.js';

export function WebhookScreen() {
  const projectId = useProjectId();
  const { webhookId } = useParams({ from: '/p/$projectId/webhooks/$webhookId' });
  const query = useQuery({
    queryKey: ['webhook', projectId, webhookId],
    queryFn: ({ signal }) => get<{ webhook: Webhook }>(`/projects/${projectId}/webhooks/${webhookId}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/webhooks" params={{ projectId }} className="hover:underline">
      Webhooks
    </Link>
  );
  const webhook = query.data?.webhook;
  return (
    <Page
      title={webhook?.endpoint_url ?? 'Webhook'}
      trail={trail}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      <Loaded query={query}>
        {({ webhook: { id, events, signature_form: form, retry_schedule: schedule, ...rest } }) => (
          <Card title="Settings">
            <Facts
              rows={[
                [
                  'State',
                  <WebhookState
                    key="state"
                    webhook={{ id, events, signature_form: form, retry_schedule: schedule, ...rest }}
                  />,
                ],
                ['Events', events.join(', ')],
                ['Signature', form],
                ['Retries', schedule],
                ['Id', <Id key="id" value={id} />],
              ]}
            />
          </Card>
        )}
      </Loaded>
      <DeliveryStatistics webhookId={webhookId} />
      <Deliveries webhookId={webhookId} />
    </Page>
  );
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const projectId = useProjectId();
  const [isChanging, setChanging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isRecovering, setRecovering] = useState(false);
  const path = `/projects/${projectId}/webhooks/${webhook.id}`;
  const changes = [
    ['webhook', projectId, webhook.id],
    ['webhooks', projectId],
    ['deliveries', webhook.id],
  ];
  const test = useAction({
    act: () => call<{ status: string }>('POST', `${path}/test`, { body: {} }),
    changes,
    done: 'Sample event sent',
  });
  const change = useAction({
    act: (settings: object) => call<{ webhook: Webhook }>('PUT', path, { body: settings }),
    changes,
    done: 'Webhook changed',
  });
  const secret = change.data?.webhook.signing_secret;
  return (
    <>
      <Button needs="resources.manage" isBusy={test.isPending} onClick={() => test.mutate()}>
        Send a sample
      </Button>
      <Button needs="resources.manage" onClick={() => setChanging(true)}>
        Change
      </Button>
      <Menu
        trigger={<Button>More</Button>}
        items={[
          {
            label: webhook.enabled ? 'Disable' : 'Enable',
            onPick: () => change.mutate({ enabled: !webhook.enabled }),
            needs: 'resources.manage',
          },
          { label: 'Send failed deliveries again', onPick: () => setRecovering(true), needs: 'resources.manage' },
          {
            label: 'Rotate the secret',
            onPick: () => change.mutate({ rotate_secret: true }),
            needs: 'resources.manage',
          },
          { label: 'Delete', onPick: () => setDeleting(true), isDanger: true, needs: 'resources.manage' },
        ]}
      />
      {secret !== undefined && (
        <SecretDialog
          title="New signing secret"
          secret={secret}
          hint="The old secret signs beside the new one for 24 hours."
          onClose={change.reset}
        />
      )}
      {isChanging && <WebhookDialog webhook={webhook} onClose={() => setChanging(false)} />}
      {isRecovering && <RecoverWebhook webhookId={webhook.id} onClose={() => setRecovering(false)} />}
      {isDeleting && <DeleteWebhook path={path} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteWebhook({ path, onClose }: { path: string; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const remove = useAction({
    act: () => call('DELETE', path),
    changes: [['webhooks', projectId]],
    done: 'Webhook deleted',
    onDone: () => void navigate({ to: '/p/$projectId/webhooks', params: { projectId } }),
  });
  return (
    <Confirm
      title="Delete the webhook"
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its pending deliveries are canceled. This cannot be undone.
    </Confirm>
  );
}
