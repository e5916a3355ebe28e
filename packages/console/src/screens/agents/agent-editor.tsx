import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { Agent } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { toSlug } from '../../format/slug.js';
import { Button } from '../../parts/button.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { useUnsavedInput } from '../../shell/use-unsaved-input.js';
import { type AgentDraft, findJsonFaults, newAgent, toAgentBody, toDraft } from './agent-draft.js';
import { AgentFields } from './agent-fields.js';

/** Edits an agent, or a new one. A changed configuration is a new revision. */
export function AgentEditor({ agent }: { agent?: Agent }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => (agent ? toDraft(agent) : newAgent()));
  const [jsonFaults, setJsonFaults] = useState<Record<string, string>>({});
  const markSaved = useUnsavedInput(draft);
  const body = toAgentBody(draft);
  const headers = useIdempotencyKey(JSON.stringify(body));
  const path = `/projects/${projectId}/agents`;
  const save = useAction({
    act: () =>
      agent
        ? call<{ agent: Agent }>('PATCH', `${path}/${agent.agent.slug}`, {
            body: { ...body, expected_revision: agent.agent.current_revision },
          })
        : call<{ agent: Agent }>('POST', path, { body, headers }),
    changes: [['agents', projectId], ['agent']],
    done: ({ agent: { agent: saved } }) => `Saved as revision ${saved.current_revision}`,
    onDone: ({ agent: { agent: saved } }) => {
      markSaved();
      void navigate({ to: '/p/$projectId/agents/$slug', params: { projectId, slug: saved.slug }, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const faults = findJsonFaults(draft);
    setJsonFaults(faults);
    if (Object.keys(faults).length === 0) save.mutate();
  };
  const change = (changes: Partial<AgentDraft>) =>
    setDraft((before) => {
      const isSlugDerived = !agent && changes.name !== undefined && before.slug === toSlug(before.name);
      return { ...before, ...changes, ...(isSlugDerived && { slug: toSlug(changes.name as string) }) };
    });
  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <AgentFields
        draft={draft}
        isNew={!agent}
        faults={{ ...readFieldFaults(save.error), ...jsonFaults }}
        onChange={change}
      />
      {save.error && <Failure error={save.error} />}
      <footer className="flex justify-end">
        <Button type="submit" look="primary" needs="resources.manage" isBusy={save.isPending}>
          {agent ? 'Save' : 'Create the agent'}
        </Button>
      </footer>
    </form>
  );
}
