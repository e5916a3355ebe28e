import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../shell/use-list-search.js';

/** Fields of the URL of the requests, by group. */
const FIELDS: Readonly<Record<string, 'customer' | 'model' | 'key' | 'status'>> = {
  customer: 'customer',
  model: 'model',
  key: 'key',
  status: 'status',
};

/** Leads to the requests of a group. */
export function GroupLink({ group, value }: { group: string; value: string }) {
  const projectId = useProjectId();
  const field = FIELDS[group];
  if (value === 'none') return <span className="text-soft">none</span>;
  if (!field) return <>{value}</>;
  return (
    <Link
      to="/p/$projectId/requests"
      params={{ projectId }}
      search={{ [field]: value }}
      className="font-medium break-all hover:underline"
    >
      {value}
    </Link>
  );
}
