import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { RequestDetail } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatAmount, formatCount } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { AnswerPrice } from './answer-price.js';
import type { AnswerState } from './use-answer.js';

const RECORD_TRIES = 8;
const RECORD_PAUSE_MS = 750;

/** The answer as it arrives, then its figures. */
export function Answer({ answer }: { answer: AnswerState | undefined }) {
  const aside = answer?.isOpen ? <Badge tone="accent">streaming</Badge> : undefined;
  return (
    <Card title="Answer" aside={aside}>
      <div aria-live="polite" className="min-h-16 break-words whitespace-pre-wrap">
        {answer ? answer.text : <span className="text-soft">Send a message to see the answer here.</span>}
      </div>
      {answer?.isStopped && <Stopped answer={answer} />}
      {answer && <Figures answer={answer} />}
    </Card>
  );
}

/** The charge of a stopped answer is known about a second after its end. */
function Stopped({ answer: { requestId, totalMs } }: { answer: AnswerState }) {
  const projectId = useProjectId();
  const { data } = useQuery({
    queryKey: ['request', projectId, requestId],
    enabled: requestId !== undefined,
    queryFn: ({ signal }) =>
      get<{ request: RequestDetail }>(`/projects/${projectId}/requests/${requestId}`, {}, signal),
    retry: RECORD_TRIES,
    retryDelay: RECORD_PAUSE_MS,
  });
  const { output_tokens: tokens, revenue_microcents: charged } = data?.request ?? {};
  const outcome =
    tokens === undefined || charged === undefined ? '' : `, ${formatAmount(tokens, 'token')}, ${formatMoney(charged)}`;
  return (
    <p role="status" className="mt-4 border-t pt-4">
      Stopped{totalMs === undefined ? '' : ` after ${formatDuration(totalMs)}`}
      {outcome}.{' '}
      {requestId !== undefined && (
        <Link
          to="/p/$projectId/requests/$requestId"
          params={{ projectId, requestId }}
          className="text-accent underline"
        >
          Open the request
        </Link>
      )}
    </p>
  );
}

function Figures({ answer: { completion, firstMs, totalMs, requestId } }: { answer: AnswerState }) {
  if (!completion) return null;
  const { usage, model, provider, stop_reason: reason } = completion;
  return (
    <div className="mt-4 border-t pt-4">
      <Facts
        rows={[
          ['Cost', <AnswerPrice key="cost" model={model} usage={usage} />],
          ['Tokens', `${formatCount(usage.input_tokens)} in, ${formatCount(usage.output_tokens)} out`],
          [
            'Time',
            `${firstMs === undefined ? '–' : formatDuration(firstMs)} to the first text, ${totalMs === undefined ? '–' : formatDuration(totalMs)} in all`,
          ],
          ['Served by', `${model} · ${provider}`],
          ['Ended', reason],
          ['Request', requestId === undefined ? '–' : <RequestId key="id" id={requestId} />],
        ]}
      />
    </div>
  );
}

function RequestId({ id }: { id: string }) {
  const projectId = useProjectId();
  return (
    <span className="inline-flex items-center gap-2">
      <Id value={id} />
      <Link
        to="/p/$projectId/requests/$requestId"
        params={{ projectId, requestId: id }}
        className="whitespace-nowrap text-accent underline"
      >
        Open
      </Link>
    </span>
  );
}
