// Names of what lists show by id.
import { queryOptions } from '@tanstack/react-query';
import { get } from './client.js';
import type { ApiKey, CustomerEnvelope, Member } from './types.js';

/** As many as one request may name. */
const IDS_MAX = 100;
const KEYS_MAX = 200;
const MEMBERS_MAX = 200;

interface Asked {
  id: string;
  answer: (name: string | null) => void;
  fail: (error: unknown) => void;
}

/** By project. */
let asked = new Map<string, Asked[]>();

/** Reads the external id of a customer; those that are asked for at the same time are read together. Null if it was deleted. */
export const customerNameQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['customer-name', projectId, id],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      new Promise<string | null>((answer, fail) => {
        if (asked.size === 0) setTimeout(readAsked);
        asked.set(projectId, [...(asked.get(projectId) ?? []), { id, answer, fail }]);
      }),
  });

function readAsked(): void {
  const taken = asked;
  asked = new Map();
  for (const [projectId, all] of taken) {
    for (let at = 0; at < all.length; at += IDS_MAX) void readSome(projectId, all.slice(at, at + IDS_MAX));
  }
}

async function readSome(projectId: string, some: readonly Asked[]): Promise<void> {
  try {
    const query = { ids: some.map(({ id }) => id).join(','), limit: IDS_MAX };
    const { customers } = await get<{ customers: CustomerEnvelope[] }>(`/projects/${projectId}/customers`, query);
    const names = new Map(customers.map(({ customer }) => [customer.id, customer.external_id]));
    for (const { id, answer } of some) answer(names.get(id) ?? null);
  } catch (error) {
    for (const { fail } of some) fail(error);
  }
}

/** The labels of the project's keys by their ids. */
export const keyLabelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['keys', projectId, 'labels'],
    retry: false,
    queryFn: async ({ signal }) => {
      const { api_keys } = await get<{ api_keys: ApiKey[] }>(
        `/projects/${projectId}/api-keys`,
        { limit: KEYS_MAX },
        signal,
      );
      return new Map(api_keys.map(({ id, label }) => [id, label]));
    },
  });

/** The emails of the project's members by their users' ids. */
export const memberEmailsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['members', projectId, 'emails'],
    retry: false,
    queryFn: async ({ signal }) => {
      const query = { limit: MEMBERS_MAX };
      const { members } = await get<{ members: Member[] }>(`/projects/${projectId}/members`, query, signal);
      return new Map(members.map(({ user_id, email }) => [user_id, email]));
    },
  });

const FOUND_MAX = 10;

/** Customers whose email or external id begins with the text. */
export const customerSearchQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: ['customers', projectId, 'search', text],
    queryFn: async ({ signal }) => {
      const query = { q: text, limit: FOUND_MAX };
      const { customers } = await get<{ customers: CustomerEnvelope[] }>(
        `/projects/${projectId}/customers`,
        query,
        signal,
      );
      return customers.map(({ customer }) => customer);
    },
  });
