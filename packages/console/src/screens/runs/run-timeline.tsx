import type { RunEvent } from '../../api/types.js';
import { formatDuration } from '../../format/times.js';
import { Card } from '../../parts/card.js';

/** Events in their order, with the time since the first one. Pieces of text are left out. */
export function RunTimeline({ events }: { events: readonly RunEvent[] }) {
  const shown = events.filter(({ type }) => type !== 'node_output_delta');
  const startMs = Date.parse(shown[0]?.ts ?? '');
  if (shown.length === 0) return <p className="py-6 text-center text-soft">No events yet.</p>;
  return (
    <Card isFlush>
      <ol aria-label="Events" className="divide-y">
        {shown.map((event) => (
          <li key={event.seq} className="flex items-baseline gap-4 px-4 py-2">
            <span className="w-20 shrink-0 text-right text-soft tabular-nums">
              +{formatDuration(Date.parse(event.ts) - startMs)}
            </span>
            <span className="font-medium">{event.type.replaceAll('_', ' ').replace('llm call', 'model call')}</span>
            {'node_id' in event && (
              <code className="truncate font-mono text-xs text-soft">{String(event.node_id)}</code>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
