// Queries that several screens share.
import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { AccountBalance, Model, Project, Tier, User } from './types.js';

const PROJECTS_MAX = 200;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => get<{ user: User }>('/auth/me', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => get<{ projects: Project[] }>('/projects', { limit: PROJECTS_MAX }, signal),
});

export const balanceQuery = queryOptions({
  queryKey: ['account', 'balance'],
  queryFn: ({ signal }) => get<AccountBalance>('/account/balance', {}, signal),
});

/** The balance of the account that a project belongs to. */
export const projectBalanceQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['account', 'balance', projectId],
    queryFn: ({ signal }) => get<AccountBalance>(`/projects/${projectId}/account/balance`, {}, signal),
  });

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => get<{ models: Model[] }>('/models', {}, signal),
  staleTime: 300_000,
});

export const tiersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['tiers', projectId],
    queryFn: ({ signal }) => get<{ tiers: Tier[] }>(`/projects/${projectId}/tiers`, {}, signal),
  });
