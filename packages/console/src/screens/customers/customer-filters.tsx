import { useQuery } from '@tanstack/react-query';
import { tiersQuery } from '../../api/queries.js';
import { Button } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/field.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';

const STATUSES = [
  ['', 'Any'],
  ['active', 'Active'],
  ['trialing', 'Trialing'],
  ['past_due', 'Past due'],
  ['unpaid', 'Unpaid'],
  ['canceled', 'Canceled'],
  ['none', 'No subscription'],
] as const;

/** Filters in the URL. */
export function CustomerFilters() {
  const [{ q = '', tier = '', status = '' }, change] = useTexts();
  const { data } = useQuery(tiersQuery(useProjectId()));
  const tiers = (data?.tiers ?? []).map(({ tier_code: code, display_name: name }) => [code, name] as const);
  const isFiltered = [q, tier, status].some((value) => value !== '');
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap sm:items-end">
      <div className="col-span-2 sm:w-80">
        <TextField
          label="Search"
          type="search"
          placeholder="Beginning of an email or external id"
          defaultValue={q}
          key={isFiltered ? 'filtered' : 'all'}
          onChange={(event) => change({ q: event.target.value })}
        />
      </div>
      <div className="sm:w-44">
        <SelectField
          label="Tier"
          value={tier}
          options={[['', 'Any'], ...tiers]}
          onPick={(value) => change({ tier: value })}
        />
      </div>
      <div className="sm:w-44">
        <SelectField label="Status" value={status} options={STATUSES} onPick={(value) => change({ status: value })} />
      </div>
      {isFiltered && (
        <Button look="quiet" onClick={() => change({ q: '', tier: '', status: '' })}>
          Clear
        </Button>
      )}
    </div>
  );
}
