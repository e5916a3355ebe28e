import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import type { Agent } from '../../api/types.js';
import { Button } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';

const AGENTS_MAX = 200;

const STATUSES = [
  ['', 'All states'],
  ['running', 'Running'],
  ['waiting', 'Waiting'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Filters in the URL. Days are those of UTC. */
export function RunFilters() {
  const [{ status = '', agent = '', from = '', to = '', customer = '' }, change] = useTexts();
  const agents = useAgents(agent);
  const isFiltered = [status, agent, from, to, customer].some((value) => value !== '');
  const pickDay = (name: 'from' | 'to', value: string) =>
    (value === '' || DAY.test(value)) && change({ [name]: value });
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-36">
        <SelectField label="State" value={status} options={STATUSES} onPick={(value) => change({ status: value })} />
      </div>
      <div className="w-48">
        <SelectField label="Agent" value={agent} options={agents} onPick={(value) => change({ agent: value })} />
      </div>
      <div className="w-38">
        <TextField
          label="Started from"
          type="date"
          value={from}
          max={to === '' ? undefined : to}
          onChange={({ target: { value } }) => pickDay('from', value)}
        />
      </div>
      <div className="w-38">
        <TextField
          label="Until"
          type="date"
          value={to}
          min={from === '' ? undefined : from}
          onChange={({ target: { value } }) => pickDay('to', value)}
        />
      </div>
      {customer !== '' && (
        <div className="flex h-8 items-center gap-2">
          Of the customer <CustomerLink id={customer} />
        </div>
      )}
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ status: '', agent: '', from: '', to: '', customer: '' })}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** The agents of the project, with the chosen one even if it was deleted. */
function useAgents(chosen: string): (readonly [string, string])[] {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['agents', projectId, 'choice'],
    queryFn: ({ signal }) => get<{ agents: Agent[] }>(`/projects/${projectId}/agents`, { limit: AGENTS_MAX }, signal),
  });
  const slugs = new Set(data?.agents.map(({ agent }) => agent.slug));
  if (chosen !== '') slugs.add(chosen);
  return [['', 'All agents'], ...[...slugs].sort().map((slug) => [slug, slug] as const)];
}
