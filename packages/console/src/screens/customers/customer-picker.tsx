import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.js';
import type { CustomerEnvelope } from '../../api/types.js';
import { SelectField } from '../../parts/field.js';
import { useProjectId } from '../../shell/use-list-search.js';

const CUSTOMERS_MAX = 200;

export interface CustomerPickerProps {
  label: string;
  /** Text of the choice of no customer. */
  none: string;
  value: string;
  hint?: ReactNode;
  fault?: string | undefined;
  onPick: (customerId: string) => void;
}

/** Picks one of the newest customers of the project. */
export function CustomerPicker({ none, ...field }: CustomerPickerProps) {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['customers', projectId, 'choice'],
    queryFn: ({ signal }) =>
      get<{ customers: CustomerEnvelope[] }>(
        `/projects/${projectId}/customers`,
        { sort: '-created_at', limit: CUSTOMERS_MAX },
        signal,
      ),
  });
  return <SelectField options={[['', none], ...(data?.customers ?? []).map(toOption)]} {...field} />;
}

function toOption({ customer, subscription }: CustomerEnvelope): [string, string] {
  return [customer.id, `${customer.external_id} – ${subscription?.tier_display_name ?? 'no tier'}`];
}
