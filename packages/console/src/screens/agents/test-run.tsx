import { Link } from '@tanstack/react-router';
import type { agentTestResponse } from '@tollgate/api/runs';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';
import { Status } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { TextArea } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

type Result = z.output<typeof agentTestResponse>;

/** Runs the agent once. The account pays for its model calls. */
export function TestRun({ path }: { path: string }) {
  const [text, setText] = useState('');
  const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }];
  const run = useAction({
    act: () => call<Result>('POST', `${path}/test`, { body: { input, options: { dry_run: true } } }),
    changes: [['runs']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate();
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
            hint="The model calls are real and are charged to the account. A tool call fails, because no tool is mocked here."
            onChange={(event) => setText(event.target.value)}
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

function Outcome({ result: { run_id: runId, status, output, usage, error } }: { result: Result }) {
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
    </Card>
  );
}
