import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.js';
import { Toasts } from '../parts/toasts.js';
import { PortalApp } from './portal-app.js';
import { startPortal } from './portal-session.js';
import '../styles.css';

/** Once: a code works one time only. */
const starting = startPortal();
// The app shows a failure once it is rendered; until then it counts as handled.
starting.catch(() => undefined);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <PortalApp starting={starting} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
