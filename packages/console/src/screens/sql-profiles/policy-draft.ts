import type { SqlProfile } from '../../api/types.js';

type Policy = SqlProfile['policy'];

/** A policy as it is edited. Names are one a line; empty = no restriction. */
export interface PolicyDraft {
  dialect: Policy['dialect'];
  isReadOnly: boolean;
  allowed: string;
  denied: string;
  hidden: string;
  allowsSubqueries: boolean;
  defaultLimit: string;
  maxLimit: string;
  timeoutMs: string;
}

export function newPolicy(): PolicyDraft {
  const numbers = { defaultLimit: '100', maxLimit: '1000', timeoutMs: '5000' };
  return {
    ...numbers,
    dialect: 'postgres',
    isReadOnly: true,
    allowsSubqueries: true,
    allowed: '',
    denied: '',
    hidden: '',
  };
}

export function toDraft({ dialect, read_only, tables, columns, subqueries, limits }: Policy): PolicyDraft {
  return {
    dialect,
    isReadOnly: read_only,
    allowed: toLines(tables?.allowlist),
    denied: toLines(tables?.denylist),
    hidden: toLines(columns?.hidden),
    allowsSubqueries: subqueries?.allowed !== false,
    defaultLimit: toText(limits?.default_limit),
    maxLimit: toText(limits?.max_limit),
    timeoutMs: toText(limits?.timeout_ms),
  };
}

/** Keeps what the form does not show: joins, functions, and a list that allows no table. */
export function toPolicy(draft: PolicyDraft, before?: Policy): Record<string, unknown> {
  const allowed = toNames(draft.allowed);
  const allowsNone = before?.tables?.allowlist?.length === 0 && allowed === null;
  return {
    dialect: draft.dialect,
    read_only: draft.isReadOnly,
    tables: { allowlist: allowsNone ? [] : allowed, denylist: toNames(draft.denied) },
    columns: { hidden: toNames(draft.hidden) },
    subqueries: { allowed: draft.allowsSubqueries },
    limits: {
      default_limit: toNumber(draft.defaultLimit),
      max_limit: toNumber(draft.maxLimit),
      timeout_ms: toNumber(draft.timeoutMs),
    },
    ...(before?.joins != null && { joins: before.joins }),
    ...(before?.functions != null && { functions: before.functions }),
  };
}

function toLines(names: readonly string[] | null | undefined): string {
  return (names ?? []).join('\n');
}

function toNames(text: string): string[] | null {
  const names = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return names.length === 0 ? null : names;
}

function toText(value: number | null | undefined): string {
  return value == null ? '' : String(value);
}

function toNumber(text: string): number | null {
  return text === '' ? null : Number(text);
}
