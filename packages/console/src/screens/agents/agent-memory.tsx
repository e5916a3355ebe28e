import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, get } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import type { AgentMemory as Memory } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { TextArea } from '../../parts/field.js';
import { Failure, Loaded } from '../../parts/states.js';
import { CustomerPicker } from '../customers/customer-picker.js';

/** The documents of the agent's runs: its own, and one per customer. */
export function AgentMemory({ path }: { path: string }) {
  const [customerId, setCustomerId] = useState('');
  const key = ['agent', path, 'memory', customerId];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      get<{ memory: Memory }>(`${path}/memory`, { customer_id: customerId || undefined }, signal),
  });
  return (
    <>
      <div className="max-w-md">
        <CustomerPicker
          label="Memory of"
          none="The agent itself"
          value={customerId}
          hint="Runs for a customer read both documents and write only the customer's."
          onPick={setCustomerId}
        />
      </div>
      <Loaded query={query}>
        {({ memory }) => <MemoryForm key={`${customerId} ${memory.content}`} path={path} memory={memory} />}
      </Loaded>
    </>
  );
}

function MemoryForm({ path, memory }: { path: string; memory: Memory }) {
  const [content, setContent] = useState(memory.content);
  const save = useAction({
    act: () =>
      call('PUT', `${path}/memory`, {
        body: { content, ...(memory.customer_id !== undefined && { customer_id: memory.customer_id }) },
      }),
    changes: [['agent', path, 'memory']],
    done: 'Memory saved',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Document"
          rows={10}
          placeholder="Nothing has been remembered yet."
          value={content}
          fault={readFieldFaults(save.error).content}
          hint="The agent's tool memory_write replaces it; each run reads it before its first step. At most 32 KB."
          onChange={(event) => setContent(event.target.value)}
        />
        {save.error && <Failure error={save.error} />}
        <footer>
          <Button
            type="submit"
            look="primary"
            needs="resources.manage"
            disabled={content === memory.content}
            isBusy={save.isPending}
          >
            Save
          </Button>
        </footer>
      </form>
    </Card>
  );
}
