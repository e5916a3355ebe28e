import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerName } from '../customers/customer-link.js';
import { KeyName } from '../keys/key-name.js';

/** Fields of the URL of the requests, by group. */
const FIELDS: Readonly<Record<string, 'customer' | 'model' | 'key' | 'status'>> = {
  customer: 'customer',
  model: 'model',
  key: 'key',
  status: 'status',
};

function toName(group: string, value: string): ReactNode {
  if (group === 'customer') return <CustomerName id={value} />;
  return group === 'key' ? <KeyName id={value} /> : value;
}

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
      {toName(group, value)}
    </Link>
  );
}
