// Request schemas of the hot path only validate: inference reads the bytes of the request, not the schema's result.
import type { z } from 'zod';

interface Definition {
  type: string;
  [member: string]: unknown;
}

const CHANGING = new Set(['default', 'prefault', 'transform', 'catch']);

/** Paths inside a schema at which parsing would change the value: a default, a transformation, an overwriting check. */
export function findChanges(schema: z.ZodType): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const visit = (node: unknown, path: string): void => {
    const definition = definitionIn(node);
    if (!definition || seen.has(node)) return;
    seen.add(node);
    if (CHANGING.has(definition.type)) found.push(`${path}: ${definition.type}`);
    if (hasOverwrite(definition)) found.push(`${path}: overwrite`);
    for (const [name, value] of Object.entries(definition)) visitMember(name, value, path, visit);
  };
  visit(schema, '$');
  return found;
}

function visitMember(name: string, value: unknown, path: string, visit: (node: unknown, path: string) => void): void {
  if (name === 'checks' || name === 'type') return;
  if (name === 'getter' && typeof value === 'function') visit(value(), path);
  else if (definitionIn(value)) visit(value, path);
  if (typeof value !== 'object' || value === null || definitionIn(value)) return;
  for (const [key, each] of Object.entries(value)) if (definitionIn(each)) visit(each, `${path}.${key}`);
}

function hasOverwrite({ checks }: Definition): boolean {
  if (!Array.isArray(checks)) return false;
  return checks.some((check: { _zod?: { def?: { check?: string } } }) => check._zod?.def?.check === 'overwrite');
}

function definitionIn(node: unknown): Definition | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  return (node as { _zod?: { def?: Definition } })._zod?.def;
}
