import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { SqlProfile } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { CheckField, SelectField, TextArea, TextField } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { newPolicy, type PolicyDraft, toDraft, toPolicy } from './policy-draft.js';

const DIALECTS = [
  ['postgres', 'PostgreSQL'],
  ['mysql', 'MySQL'],
  ['sqlite', 'SQLite'],
  ['sqlserver', 'SQL Server'],
] as const;

/** Edits a profile, or a new one. */
export function SqlProfileForm({ path, profile }: { path: string; profile?: SqlProfile }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [name, setName] = useState(profile?.name ?? '');
  const [draft, setDraft] = useState(() => (profile ? toDraft(profile.policy) : newPolicy()));
  const body = { name, policy: toPolicy(draft, profile?.policy) };
  const headers = useIdempotencyKey(JSON.stringify(body));
  const save = useAction({
    act: () =>
      profile
        ? call<{ profile: SqlProfile }>('PUT', `${path}/${profile.id}`, { body })
        : call<{ profile: SqlProfile }>('POST', path, { body, headers }),
    changes: [['sql-profiles', projectId]],
    done: 'SQL profile saved',
    onDone: ({ profile: { id } }) =>
      void navigate({
        to: '/p/$projectId/sql-profiles/$profileId',
        params: { projectId, profileId: id },
        replace: true,
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const faults = readFieldFaults(save.error);
  return (
    <Card title="Policy">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            required
            value={name}
            fault={faults.name}
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField
            label="Dialect"
            value={draft.dialect}
            options={DIALECTS}
            onPick={(dialect) => setDraft({ ...draft, dialect: dialect as PolicyDraft['dialect'] })}
          />
        </div>
        <PolicyFields draft={draft} faults={faults} onChange={(changes) => setDraft({ ...draft, ...changes })} />
        {save.error && <Failure error={save.error} />}
        <footer>
          <Button type="submit" look="primary" needs="resources.manage" isBusy={save.isPending}>
            {profile ? 'Save' : 'Create the profile'}
          </Button>
        </footer>
      </form>
    </Card>
  );
}

interface PolicyFieldsProps {
  draft: PolicyDraft;
  faults: Readonly<Record<string, string>>;
  onChange: (changes: Partial<PolicyDraft>) => void;
}

function PolicyFields({ draft, faults, onChange }: PolicyFieldsProps) {
  const names = (field: 'allowed' | 'denied' | 'hidden', place: string) => ({
    rows: 3,
    spellCheck: false,
    className: 'font-mono text-xs',
    value: draft[field],
    fault: findFault(faults, place),
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  const number = (field: 'defaultLimit' | 'maxLimit' | 'timeoutMs', place: string) => ({
    inputMode: 'numeric' as const,
    pattern: '[0-9]*',
    placeholder: 'none',
    value: draft[field],
    fault: findFault(faults, place),
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextArea
          label="Tables"
          placeholder="public.orders"
          hint="One a line; empty allows all."
          {...names('allowed', 'policy.tables.allowlist')}
        />
        <TextArea
          label="Tables that are forbidden"
          placeholder="public.users"
          hint="Counts before the other list."
          {...names('denied', 'policy.tables.denylist')}
        />
        <TextArea
          label="Columns that are hidden"
          placeholder="users.email"
          hint="Statements that read them are refused."
          {...names('hidden', 'policy.columns.hidden')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="Rows, without a LIMIT" {...number('defaultLimit', 'policy.limits.default_limit')} />
        <TextField label="Rows, at most" {...number('maxLimit', 'policy.limits.max_limit')} />
        <TextField label="Time, in milliseconds" {...number('timeoutMs', 'policy.limits.timeout_ms')} />
      </div>
      <CheckField
        label="Only read"
        hint="Otherwise INSERT, UPDATE and DELETE are allowed too."
        checked={draft.isReadOnly}
        onChange={(event) => onChange({ isReadOnly: event.target.checked })}
      />
      <CheckField
        label="Subqueries"
        checked={draft.allowsSubqueries}
        onChange={(event) => onChange({ allowsSubqueries: event.target.checked })}
      />
    </>
  );
}

/** The service names the place within a list: `policy.tables.allowlist.0`. */
function findFault(faults: PolicyFieldsProps['faults'], place: string): string | undefined {
  return Object.entries(faults).find(([field]) => field.startsWith(place))?.[1];
}
