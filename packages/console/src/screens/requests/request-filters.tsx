import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { customerNameQuery, customerSearchQuery } from '../../api/names.js';
import { tiersQuery } from '../../api/queries.js';
import { Button } from '../../parts/button.js';
import { Select, TextField } from '../../parts/field.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';

const STATUSES = [
  ['', 'All outcomes'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['refused', 'Refused'],
  ['unreported', 'Unreported'],
] as const;

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Filters in the URL. */
export function RequestFilters() {
  const [{ status = '', model = '', customer = '', key = '' }, change] = useTexts();
  const models = useTierModels();
  const isFiltered = [status, model, customer, key].some((value) => value !== '');
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        aria-label="Outcome"
        className="!w-40"
        value={status}
        options={STATUSES}
        onPick={(value) => change({ status: value })}
      />
      <Select
        aria-label="Model"
        className="!w-52"
        value={model}
        options={[['', 'All models'], ...models]}
        onPick={(value) => change({ model: value })}
      />
      <CustomerFilter key={customer} customer={customer} onPick={(id) => change({ customer: id })} />
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ status: '', model: '', customer: '', key: '' })}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** Finds a customer by the beginning of its email or external id, or by its id. */
function CustomerFilter({ customer, onPick }: { customer: string; onPick: (id: string) => void }) {
  const projectId = useProjectId();
  const { data: name } = useQuery({ ...customerNameQuery(projectId, customer), enabled: customer !== '' });
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name ?? customer;
  const found = useQuery({ ...customerSearchQuery(projectId, text), enabled: typed !== undefined && text.length > 1 });
  const type = (value: string) => {
    setTyped(value);
    const picked = found.data?.find((each) => each.external_id === value || each.email === value);
    if (value === '') onPick('');
    else if (UUID.test(value)) onPick(value);
    else if (picked) onPick(picked.id);
  };
  const hasNone = typed !== undefined && found.data?.length === 0;
  return (
    <div className="w-72">
      <TextField
        label="Customer"
        type="search"
        list="found-customers"
        placeholder="external id, email or id"
        value={text}
        hint={hasNone ? 'No customer begins like this.' : undefined}
        onChange={({ target: { value } }) => type(value)}
        onKeyDown={({ key }) => key === 'Enter' && found.data?.[0] && onPick(found.data[0].id)}
      />
      <datalist id="found-customers">
        {found.data?.map(({ id, external_id, email }) => (
          <option key={id} value={external_id}>
            {email}
          </option>
        ))}
      </datalist>
    </div>
  );
}

/** The models that customers of the project can ask. */
function useTierModels(): (readonly [string, string])[] {
  const { data } = useQuery(tiersQuery(useProjectId()));
  const ids = new Set(data?.tiers.flatMap(({ models }) => models.map(({ model_id: id }) => id)));
  return [...ids].sort().map((id) => [id, id] as const);
}
