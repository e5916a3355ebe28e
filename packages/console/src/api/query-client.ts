import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './client.js';

const ATTEMPTS_MAX = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < ATTEMPTS_MAX - 1 && !(error instanceof ApiFailure && error.status < 500),
    },
  },
});
