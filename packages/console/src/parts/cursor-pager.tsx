import { ChevronRight, ChevronsLeft } from 'lucide-react';
import { useTexts } from '../shell/use-list-search.js';
import { Button } from './button.js';

/** Moves through a list with cursors; the browser's own button leads back. */
export function CursorPager({ next, note }: { next: string | undefined; note?: string }) {
  const [{ cursor }, change] = useTexts();
  if (cursor === undefined && next === undefined && note === undefined) return null;
  return (
    <nav aria-label="Parts of the list" className="flex items-center justify-between gap-3 border-t px-4 py-2">
      <span className="text-soft">{note}</span>
      <span className="flex gap-2">
        <Button disabled={cursor === undefined} onClick={() => change({ cursor: undefined })}>
          <ChevronsLeft className="size-4" aria-hidden /> First
        </Button>
        <Button disabled={next === undefined} onClick={() => change({ cursor: next })}>
          Next <ChevronRight className="size-4" aria-hidden />
        </Button>
      </span>
    </nav>
  );
}
