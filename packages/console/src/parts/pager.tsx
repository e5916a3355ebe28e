import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.js';

/** Moves between the pages of a list with offsets. */
export function Pager({ offset, count, limit, next, onMove }: PagerProps) {
  if (offset === 0 && next === undefined) return null;
  return (
    <nav aria-label="Parts of the list" className="flex items-center justify-between gap-3 border-t px-4 py-2">
      <span className="text-soft tabular-nums">{count === 0 ? 'No more rows' : `${offset + 1}–${offset + count}`}</span>
      <span className="flex gap-2">
        <Button disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
          <ChevronLeft className="size-4" aria-hidden /> Back
        </Button>
        <Button disabled={next === undefined} onClick={() => onMove(Number(next))}>
          Next <ChevronRight className="size-4" aria-hidden />
        </Button>
      </span>
    </nav>
  );
}

export interface PagerProps {
  offset: number;
  /** Rows of this page. */
  count: number;
  limit: number;
  next: string | undefined;
  onMove: (offset: number) => void;
}
