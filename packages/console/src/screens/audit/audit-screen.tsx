import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import { memberEmailsQuery } from '../../api/names.js';
import type { AuditEvent } from '../../api/types.js';
import { Card } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { TextField } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { Pager } from '../../parts/pager.js';
import { Empty, Loaded } from '../../parts/states.js';
import { When } from '../../parts/when.js';
import { useOffset, useProjectId, useTexts } from '../../shell/use-list-search.js';
import { AUDITED_ACTIONS } from './audited-actions.js';

const LIMIT = 50;

const COLUMNS: readonly Column<AuditEvent>[] = [
  { header: 'When', cell: ({ at }) => <When at={at} /> },
  { header: 'Action', cell: (event) => <Action event={event} /> },
  {
    header: 'By',
    cell: ({ actor }) => <Actor actor={actor} />,
    isSecondary: true,
  },
  { header: 'Subject', cell: ({ subject_id: id }) => (id ? <Id value={id} isShort /> : '–') },
  { header: 'Address', cell: ({ address }) => <code className="font-mono text-xs">{address}</code>, isSecondary: true },
  { header: 'Request', cell: ({ request_id: id }) => <Id value={id} isShort />, isSecondary: true },
];

export function AuditScreen() {
  const [offset, move] = useOffset();
  const [{ action = '' }, change] = useTexts();
  const query = useQuery({
    queryKey: ['audit', action, offset],
    queryFn: ({ signal }) =>
      get<{ events: AuditEvent[]; next_cursor?: string }>(
        '/account/audit-log',
        { limit: LIMIT, offset, action },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Audit log" hint="Changes and sign-ins in the account, newest first." isWide>
      <ActionFilter action={action} onPick={(name) => change({ action: name })} />
      <Card isFlush>
        <Loaded query={query}>
          {({ events, next_cursor: next }) =>
            events.length === 0 && offset === 0 ? (
              <Empty title={action === '' ? 'Nothing has been recorded yet' : 'No such action has been recorded'} />
            ) : (
              <>
                <DataTable label="Audit log" rows={events} columns={COLUMNS} getKey={({ id }) => id} canSave />
                <Pager offset={offset} count={events.length} limit={LIMIT} next={next} onMove={move} />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

const CHANGES_SHOWN = 5;

/** The action, with the fields that it changed. */
function Action({ event: { action, changes = [] } }: { event: AuditEvent }) {
  return (
    <>
      <span className="font-medium">{action}</span>
      {changes.slice(0, CHANGES_SHOWN).map(({ field, before, after }) => (
        <span key={field} className="block max-w-md text-xs break-words text-soft">
          {field}: {before ?? 'none'} → {after ?? 'none'}
        </span>
      ))}
      {changes.length > CHANGES_SHOWN && (
        <span className="block text-xs text-soft">and {changes.length - CHANGES_SHOWN} more</span>
      )}
    </>
  );
}

function Actor({ actor: { kind, id } }: Pick<AuditEvent, 'actor'>) {
  const { data: emails } = useQuery(memberEmailsQuery(useProjectId()));
  const email = emails?.get(id);
  if (email) return <span title={id}>{email}</span>;
  return (
    <>
      {kind} <Id value={id} isShort />
    </>
  );
}

/** Suggests the actions; the list follows once one of them is written out. */
function ActionFilter({ action, onPick }: { action: string; onPick: (action: string) => void }) {
  const [text, setText] = useState(action);
  const isKnown = text === '' || AUDITED_ACTIONS.includes(text);
  return (
    <div className="max-w-sm">
      <TextField
        label="Action"
        type="search"
        list="audited-actions"
        placeholder="all, or one such as api_key.created"
        value={text}
        hint={isKnown ? undefined : 'Pick one of the suggested actions; the list below is not filtered yet.'}
        onChange={({ target: { value } }) => {
          setText(value);
          if (value === '' || AUDITED_ACTIONS.includes(value)) onPick(value);
        }}
      />
      <datalist id="audited-actions">
        {AUDITED_ACTIONS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
