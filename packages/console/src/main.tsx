import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { onSignedOut } from './api/session.js';
import { Toasts } from './parts/toasts.js';
import { loadPagesAhead, router } from './router.js';
import './styles.css';

/** The page that was asked for comes first. */
const AHEAD_MS = 2_000;
const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting();
  setTimeout(loadPagesAhead, AHEAD_MS);
});

onSignedOut((end) => {
  const { pathname, search } = router.state.location;
  // The shell asks to sign in again over the page, which keeps what was typed.
  if (end === 'ended' && pathname.startsWith('/p/')) return;
  queryClient.clear();
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { to: pathname + searchText(search) } });
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);

function searchText(search: object): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
