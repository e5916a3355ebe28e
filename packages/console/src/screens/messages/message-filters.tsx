import { useState } from 'react';
import { Button } from '../../parts/button.js';
import { Select, TextField } from '../../parts/field.js';
import { useProjectId, useTexts } from '../../shell/use-list-search.js';
import { toAddress } from './address.js';

const STATES = [
  ['', 'All messages'],
  ['unread', 'Unread only'],
] as const;

const UUID = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}';
const CUSTOMER = new RegExp(`^(${UUID})?$`, 'i');
const ADDRESS = new RegExp(`^(run:${UUID}|agent:[a-z\\d][a-z\\d._-]{0,127}@${UUID})?$`, 'i');

/** Filters in the URL. A text is applied once it can name something. */
export function MessageFilters() {
  const projectId = useProjectId();
  const [{ mailbox = '', customer = '', status = '' }, change] = useTexts();
  // The fields keep what is typed until the filters are cleared.
  const [round, setRound] = useState(0);
  const clear = () => {
    setRound(round + 1);
    change({ status: '', mailbox: '', customer: '' });
  };
  const isFiltered = [mailbox, customer, status].some((value) => value !== '');
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        aria-label="State"
        className="!w-40"
        value={status}
        options={STATES}
        onPick={(value) => change({ status: value })}
      />
      <div className="w-64">
        <TextField
          label="Mailbox"
          placeholder="agent or run id"
          defaultValue={mailbox}
          key={`mailbox ${round}`}
          onChange={({ target: { value } }) => ADDRESS.test(toAddress(value, projectId)) && change({ mailbox: value })}
        />
      </div>
      <div className="w-72">
        <TextField
          label="Customer id"
          placeholder="any customer"
          defaultValue={customer}
          key={`customer ${round}`}
          onChange={({ target: { value } }) => CUSTOMER.test(value) && change({ customer: value })}
        />
      </div>
      {isFiltered && (
        <Button look="quiet" onClick={clear}>
          Clear
        </Button>
      )}
    </div>
  );
}
