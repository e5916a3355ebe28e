import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { ApiFailure, describeFailure } from '../api/failure.js';
import type { PortalSession } from '../api/types.js';
import { toBrandColors } from '../format/brand-colors.js';
import { Loading } from '../parts/states.js';
import { BackLink } from './back-link.js';
import { onPortalEnd } from './portal-session.js';

const Portal = lazy(() => import('./portal.js').then((module) => ({ default: module.Portal })));

/** Shows the portal while its session lasts. */
export function PortalApp({ starting }: { starting: Promise<PortalSession> }) {
  const client = useQueryClient();
  const [hasEnded, setEnded] = useState(false);
  const { data: session, error } = useQuery({
    queryKey: ['session'],
    queryFn: () => starting,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  });
  useEffect(() => onPortalEnd(() => setEnded(true)), []);
  useEffect(() => {
    if (hasEnded) client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }, [client, hasEnded]);
  useEffect(() => paint(session?.project.portal_color), [session]);
  const returnUrl = session?.return_url;
  if (error) return <Notice title="This link does not work" text={describeStart(error)} />;
  if (hasEnded) {
    return (
      <Notice title="You are signed out" text="Open your account again from the app.">
        {returnUrl !== undefined && <BackLink url={returnUrl} name={session?.project.name ?? 'the app'} />}
      </Notice>
    );
  }
  if (!session) return <Loading lines={6} />;
  return (
    <Suspense fallback={<Loading lines={6} />}>
      <Portal session={session} />
    </Suspense>
  );
}

function describeStart(error: unknown): string {
  const isUsed = error instanceof ApiFailure && error.status === 401;
  if (!isUsed) return describeFailure(error);
  return `${error.message.replace(/^./, (first) => first.toUpperCase()).replace(/\.?$/, '.')} Open your account again from the app.`;
}

function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <title>{title}</title>
      <div className="flex max-w-sm flex-col gap-3 text-center">
        <h1 className="text-lg font-semibold">{title}</h1>
        <p className="text-soft">{text}</p>
        {children}
      </div>
    </main>
  );
}

function paint(color: string | undefined): void {
  if (color === undefined) return;
  const { classList, style } = document.documentElement;
  const { onLight, onDark, inkOnLight, inkOnDark } = toBrandColors(color);
  style.setProperty('--brand-on-light', onLight);
  style.setProperty('--brand-on-dark', onDark);
  style.setProperty('--brand-ink-on-light', inkOnLight);
  style.setProperty('--brand-ink-on-dark', inkOnDark);
  classList.add('branded');
}
