import type { RunNode, RunSnapshot } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Card } from '../../parts/card.js';

const WIDTH_MIN_PERCENT = 0.5;

const COLORS: Readonly<Record<string, string>> = {
  succeeded: 'bg-good',
  failed: 'bg-bad',
  waiting: 'bg-warn',
  canceled: 'bg-soft',
};

/** The nodes of a run over time: each bar is from the start of a node to its end, or to now. */
export function Waterfall({ run }: { run: RunSnapshot }) {
  const startMs = Date.parse(run.created_at);
  const endMs = run.ended_at === undefined ? Date.now() : Date.parse(run.ended_at);
  const span = Math.max(1, endMs - startMs);
  const nodes = [...run.nodes].sort((a, b) => toStart(a) - toStart(b));
  return (
    <Card isFlush>
      <ul className="divide-y">
        {nodes.map((node) => (
          <li
            key={node.id}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-2 md:grid-cols-[16rem_1fr_auto]"
          >
            <div className="min-w-0">
              <div className="truncate font-medium" title={node.id}>
                {node.id}
              </div>
              <code className="font-mono text-xs text-soft">{node.type}</code>
            </div>
            <div className="order-last col-span-2 h-2 rounded bg-raised md:order-none md:col-span-1" aria-hidden>
              <Bar node={node} startMs={startMs} endMs={endMs} span={span} />
            </div>
            <div className="flex items-center gap-3">
              <span className="w-16 text-right text-soft tabular-nums">{toDuration(node)}</span>
              <Status value={node.status} />
            </div>
            {node.error && <p className="col-span-full text-bad">{node.error.message}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Bar({ node, startMs, endMs, span }: { node: RunNode; startMs: number; endMs: number; span: number }) {
  if (node.started_at === undefined) return null;
  const from = Date.parse(node.started_at);
  const to = node.ended_at === undefined ? endMs : Date.parse(node.ended_at);
  const left = (100 * (from - startMs)) / span;
  const width = Math.max(WIDTH_MIN_PERCENT, (100 * (to - from)) / span);
  const style = { marginLeft: `${Math.min(left, 100 - WIDTH_MIN_PERCENT)}%`, width: `${Math.min(width, 100 - left)}%` };
  return <div className={`h-2 rounded ${COLORS[node.status] ?? 'bg-accent'}`} style={style} />;
}

function toStart({ started_at: at }: RunNode): number {
  return at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
}

function toDuration({ started_at: from, ended_at: to }: RunNode): string {
  return from === undefined || to === undefined ? '' : formatDuration(Date.parse(to) - Date.parse(from));
}
