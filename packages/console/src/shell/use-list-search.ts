import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { DEFAULT_RANGE, type RangeName } from '../format/date-range.js';
import type { TextField, TextSearch } from './text-search.js';

/** The project that the page belongs to. */
export function useProjectId(): string {
  return useParams({ strict: false }).projectId as string;
}

/** The part of a list that the URL names. */
export function useOffset(): [number, (offset: number) => void] {
  const { offset = 0 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const move = (to: number) =>
    void navigate({ to: '.', search: (search) => ({ ...search, offset: to === 0 ? undefined : to }) });
  return [offset, move];
}

/** The part of a page that the URL names. */
export function useTab(first: string): [string, (tab: string) => void] {
  const { tab = first } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (to: string) =>
    void navigate({
      to: '.',
      replace: true,
      search: (search) => ({ ...search, tab: to === first ? undefined : to, offset: undefined }),
    });
  return [tab, change];
}

/** The range of days that the URL names. */
export function useRange(): [RangeName, (range: RangeName) => void] {
  const { range = DEFAULT_RANGE } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (to: RangeName) =>
    void navigate({ to: '.', search: (search) => ({ ...search, range: to === DEFAULT_RANGE ? undefined : to }) });
  return [range, change];
}

/** Fields of text in the URL, and a function that changes some. Any change but that of the cursor leads to the first page. */
export function useTexts(): [TextSearch, (changes: TextSearch) => void] {
  const search: TextSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: TextSearch) => {
    const given = Object.entries(changes) as [TextField, string | undefined][];
    const kept = Object.fromEntries(given.map(([name, value]) => [name, value === '' ? undefined : value]));
    void navigate({
      to: '.',
      replace: !('cursor' in changes),
      search: (before) => ({ ...before, cursor: undefined, offset: undefined, ...kept }),
    });
  };
  return [search, change];
}
