import { Link } from '@tanstack/react-router';
import type { agentTestResponse } from '@tollgate/api/runs';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { readFieldFaults } from '../../api/read-field-faults.js';
import { useAction } from '../../api/use-action.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { readJson } from '../../format/read-json.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { TextArea } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

type Result = z.output<typeof agentTestResponse>;

/** Runs the agent once. The account pays for its model calls. */
export function TestRun({ path }: { path: string }) {
  const [text, setText] = useState('');
  const [mocks, setMocks] = useState('');
  const [fault, setFault] = useState<string>();
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];
  const run = useAction({
    act: (tools: unknown) =>
      call<Result>('POST', `${path}/test`, {
        body: { input, options: { dry_run: true }, ...(tools !== undefined && { mock_tools: tools }) },
      }),
    changes: [['runs']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readJson(mocks);
    setFault(read.fault);
    if (read.fault === undefined) run.mutate(read.value);
  };
  return (
    <>
      <Card>
        <form onSubmit={submit} className="flex flex-col gap-4">
          <TextArea
            label="Message"
            rows={4}
            required
            value={text}
            hint="The model calls are real and are charged to the account."
            onChange={(event) => setText(event.target.value)}
          />
          <TextArea
            label="Results of tools"
            rows={4}
            spellCheck={false}
            className="font-mono text-xs"
            placeholder='{"kv_read": [{"value": "42"}]}'
            value={mocks}
            hint="A JSON object by tool: an array is used in order. A call without a result here fails; no tool really runs."
            fault={fault ?? readFieldFaults(run.error).mock_tools}
            onChange={(event) => setMocks(event.target.value)}
          />
          <footer>
            <Button type="submit" look="primary" needs="models.use" isBusy={run.isPending}>
              Run
            </Button>
          </footer>
        </form>
      </Card>
      {run.error && <Failure error={run.error} />}
      {run.data && <Outcome result={run.data} />}
    </>
  );
}

function Outcome({ result: { run_id: runId, status, output, usage, error, mocks } }: { result: Result }) {
  const projectId = useProjectId();
  const parts = output.flatMap(({ content }) => content);
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return (
    <Card title="Answer" aside={<Status value={status} />}>
      <p className="whitespace-pre-wrap">{error?.message ?? text}</p>
      <p className="mt-3 text-soft">
        {formatAmount(usage.total_steps, 'step')} · {formatMoney(usage.total_cost_microcents)} ·{' '}
        <Link to="/p/$projectId/runs/$runId" params={{ projectId, runId }} className="underline">
          Show the run
        </Link>
      </p>
      {Object.values(mocks).some((counts) => Object.keys(counts).length > 0) && (
        <div className="mt-3">
          <Facts
            rows={[
              ['Results used', describeCounts(mocks.served)],
              ['Results left', describeCounts(mocks.unconsumed)],
              ['Calls without one', describeCounts(mocks.unmocked)],
            ]}
          />
        </div>
      )}
    </Card>
  );
}

/** `kv_read × 2, web × 1` */
function describeCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([tool, count]) => `${tool} × ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
