import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import type { RunStep } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';
import { Json } from '../../parts/copy.js';
import { Loaded } from '../../parts/states.js';

const LIMIT = 100;
const REFRESH_MS = 3_000;

/** The model calls of a run with their requests and answers. */
export function RunSteps({ path, isEnded }: { path: string; isEnded: boolean }) {
  const query = useQuery({
    queryKey: ['steps', path],
    queryFn: ({ signal }) => get<{ steps: RunStep[]; next_cursor?: string }>(`${path}/steps`, { limit: LIMIT }, signal),
    refetchInterval: isEnded ? false : REFRESH_MS,
  });
  return (
    <Loaded query={query}>
      {({ steps, next_cursor: next }) => (
        <>
          {steps.length === 0 && <p className="py-6 text-center text-soft">No model has been called yet.</p>}
          {steps.map((step) => (
            <StepCard key={`${step.node_id} ${step.step} ${step.attempt}`} step={step} />
          ))}
          {next !== undefined && <p className="text-center text-soft">The first {LIMIT} calls are shown.</p>}
        </>
      )}
    </Loaded>
  );
}

function StepCard({ step }: { step: RunStep }) {
  const took =
    step.ended_at === undefined ? '' : formatDuration(Date.parse(step.ended_at) - Date.parse(step.started_at));
  return (
    <Card title={`${step.node_id} · call ${step.step + 1}`} aside={<Status value={step.status} />}>
      <p className="mb-3 text-soft">
        {[step.model, took, step.error?.code].filter((part) => part !== undefined && part !== '').join(' · ')}
      </p>
      <div className="flex flex-col gap-2">
        <Part title="Request" value={step.llm_request} />
        <Part title="Answer" value={step.llm_response} />
        {step.tool_calls.length > 0 && <Part title="Tool calls" value={step.tool_calls} />}
        {step.tool_results.length > 0 && <Part title="Tool results" value={step.tool_results} />}
      </div>
    </Card>
  );
}

function Part({ title, value }: { title: string; value: unknown }) {
  if (value === undefined || value === null) return null;
  return (
    <details>
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="mt-2">
        <Json value={value} label={title} />
      </div>
    </details>
  );
}
