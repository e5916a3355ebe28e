import { useEffect, useState } from 'react';
import { formatAgo, formatMoment, formatTimeOfDay } from '../format/times.js';

const TICK_MS = 20_000;

/** A moment as the time since then; its title is the moment itself. */
export function When({ at }: { at: string | undefined }) {
  const nowMs = useNow();
  if (at === undefined) return <span className="text-soft">–</span>;
  return (
    <time dateTime={at} title={formatMoment(at)} className="whitespace-nowrap">
      {formatAgo(at, nowMs)}
    </time>
  );
}

/** A moment of a list in which many are close together: `06:06:06`, with the day if that is not today. */
export function TimeOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)} className="whitespace-nowrap tabular-nums">
      {formatTimeOfDay(at, Date.now())}
    </time>
  );
}

/** The current time, some times a minute. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
