import { formatCount } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';
import { Badge } from '../../parts/badge.js';
import { Card, Facts } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { AnswerPrice } from './answer-price.js';
import type { AnswerState } from './use-answer.js';

/** The answer as it arrives, then its figures. */
export function Answer({ answer }: { answer: AnswerState | undefined }) {
  const aside = answer?.isOpen ? <Badge tone="accent">streaming</Badge> : undefined;
  return (
    <Card title="Answer" aside={aside}>
      <div aria-live="polite" className="min-h-16 break-words whitespace-pre-wrap">
        {answer ? answer.text : <span className="text-soft">Send a message to see the answer here.</span>}
      </div>
      {answer && <Figures answer={answer} />}
    </Card>
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
          ['Request', requestId === undefined ? '–' : <Id key="id" value={requestId} />],
        ]}
      />
    </div>
  );
}
