import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiFailure, describeFailure } from '../api/failure.js';
import { Button } from './button.js';
import { CodeBlock } from './copy.js';

/** Shown where there is no data yet, with the request that makes some. */
export function Empty({
  title,
  hint,
  curl,
  children,
}: {
  title: string;
  hint?: string;
  curl?: string;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-3 px-4 py-10 text-center">
      <h2 className="font-semibold">{title}</h2>
      {hint !== undefined && <p className="text-soft">{hint}</p>}
      {children}
      {curl !== undefined && (
        <div className="text-left">
          <CodeBlock text={curl} label="request" />
        </div>
      )}
    </div>
  );
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className="flex items-start gap-3 rounded-lg border border-bad/30 bg-bad-wash px-4 py-3 text-bad">
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 break-words">
        {describeFailure(error)}
        {error instanceof ApiFailure && error.requestId !== undefined && (
          <div className="mt-0.5 font-mono text-xs">request {error.requestId}</div>
        )}
      </div>
      {onRetry && (
        <Button look="plain" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Lines of the size of the text that is being loaded. */
export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className="h-4 motion-safe:animate-pulse rounded bg-raised" />
      ))}
    </div>
  );
}

/** Shows what a query has: its data, its error or that it is loading. */
export function Loaded<T>({ query, children }: { query: LoadedQuery<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}

interface LoadedQuery<T> {
  data: T | undefined;
  error: unknown;
  refetch(): Promise<unknown>;
}
