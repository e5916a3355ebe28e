import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { ApiKey } from '../../api/types.js';
import { formatCents, formatMoney } from '../../format/money.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Menu } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { SecretDialog } from '../../parts/secret.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId } from '../../shell/use-list-search.js';
import { CreateKey } from './create-key.js';
import { RevokeKey } from './revoke-key.js';
import { RotateKey } from './rotate-key.js';

const LIMIT = 50;

export function KeysScreen() {
  const projectId = useProjectId();
  const [offset, move] = useOffset();
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const query = useQuery({
    queryKey: ['keys', projectId, offset],
    queryFn: ({ signal }) =>
      get<{ api_keys: ApiKey[]; next_cursor?: string }>(
        `/projects/${projectId}/api-keys`,
        { limit: LIMIT, offset },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const create = (
    <Button look="primary" needs="keys.manage" onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Page title="API keys" hint="Secret keys are for your servers; publishable keys may be in apps." actions={create}>
      <Card isFlush>
        <Loaded query={query}>
          {({ api_keys: keys, next_cursor: next }) =>
            keys.length === 0 && offset === 0 ? (
              <Empty title="No keys yet" hint="A server needs a secret key to call the API." />
            ) : (
              <>
                <DataTable
                  label="API keys"
                  rows={keys}
                  columns={[...COLUMNS, actionColumn(setRotating, setRevoking)]}
                  getKey={({ id }) => id}
                />
                <Pager offset={offset} count={keys.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
      {isCreating && <CreateKey onClose={() => setCreating(false)} onIssued={setIssued} />}
      {issued?.secret_key && (
        <SecretDialog
          title={issued.label}
          secret={issued.secret_key}
          hint={HINT}
          onClose={() => setIssued(undefined)}
        />
      )}
      {rotating && <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} onIssued={setIssued} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

const HINT = 'Only a hash of the key is stored.';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    header: 'Key',
    cell: (key) => (
      <>
        <KeyLink apiKey={key} />
        <code className="block font-mono text-xs whitespace-nowrap text-soft">{key.redacted_key}</code>
      </>
    ),
  },
  {
    header: 'Kind',
    cell: ({ kind }) => <Badge tone={kind === 'secret' ? 'accent' : 'neutral'}>{kind}</Badge>,
    isSecondary: true,
  },
  { header: 'Spent', cell: (key) => <Spent apiKey={key} />, isFigure: true },
  { header: 'Last used', cell: ({ last_used_at: at }) => <When at={at} />, isSecondary: true },
  { header: 'Expires', cell: ({ expires_at: at }) => (at ? <When at={at} /> : 'never'), isSecondary: true },
];

function KeyLink({ apiKey: { id, label } }: { apiKey: ApiKey }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/requests"
      params={{ projectId }}
      search={{ key: id }}
      title="Show its requests"
      className="font-medium hover:underline"
    >
      {label}
    </Link>
  );
}

function Spent({ apiKey: { spent_microcents: spent, spend_limit_cents: limit } }: { apiKey: ApiKey }) {
  if (spent === undefined) return <>–</>;
  return (
    <>
      {formatMoney(spent)}
      {limit !== undefined && <span className="text-soft"> of {formatCents(limit)}</span>}
    </>
  );
}

function actionColumn(onRotate: (key: ApiKey) => void, onRevoke: (key: ApiKey) => void): Column<ApiKey> {
  return {
    header: 'Actions',
    isFigure: true,
    cell: (key) => (
      <Menu
        trigger={
          <Button look="quiet" aria-label={`More for ${key.label}`}>
            More
          </Button>
        }
        items={[
          {
            label: 'Rotate',
            onPick: () => onRotate(key),
            isDisabled: key.spend_limit_cents !== undefined,
            needs: 'keys.manage',
          },
          { label: 'Revoke', onPick: () => onRevoke(key), isDanger: true, needs: 'keys.manage' },
        ]}
      />
    ),
  };
}
