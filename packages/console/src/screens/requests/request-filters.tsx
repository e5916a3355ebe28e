import { useQuery } from '@tanstack/react-query';
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
      <div className="w-72">
        <TextField
          label="Customer id"
          placeholder="any customer"
          defaultValue={customer}
          key={customer}
          onChange={({ target: { value } }) => (value === '' || UUID.test(value)) && change({ customer: value })}
        />
      </div>
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ status: '', model: '', customer: '', key: '' })}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** The models that customers of the project can ask. */
function useTierModels(): (readonly [string, string])[] {
  const { data } = useQuery(tiersQuery(useProjectId()));
  const ids = new Set(data?.tiers.flatMap(({ models }) => models.map(({ model_id: id }) => id)));
  return [...ids].sort().map((id) => [id, id] as const);
}
