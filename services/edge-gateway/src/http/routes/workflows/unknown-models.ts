import type { Catalog } from '@tollgate/catalog';
import { AppError, type SpecIssue } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

/** Node types that ask a model. */
const ASKING = new Set(['llm.responses', 'route.switch', 'agent.run']);
/** The most issues in one answer. */
const ISSUES_MAX = 200;

type Json = Readonly<Record<string, unknown>>;

/**
 * Rejects a spec that names a model which the catalog lacks, with its other issues: its runs would fail at that step.
 *
 * @throws AppError VALIDATION_ERROR
 */
export async function refuseUnknownModels(
  ctx: Pick<Context, 'catalog' | 'clients'>,
  spec: { value: unknown; json: Uint8Array },
  call: Call,
): Promise<void> {
  const unknown = findUnknownModels(ctx.catalog, spec.value);
  if (unknown.length === 0) return;
  const others = await ctx.clients.workflow.lintWorkflow({ specJson: spec.json }, call);
  const issues = [...others.issues.map(({ code, path, message }) => ({ code, path, message })), ...unknown];
  throw new AppError('VALIDATION_ERROR', 'the workflow spec is not valid', { issues });
}

/** Returns an issue for each model of a spec that the catalog lacks. A model that a binding fills is not checked. */
export function findUnknownModels(catalog: Pick<Catalog, 'find'>, spec: unknown): SpecIssue[] {
  const nodes = toObject(spec)?.nodes;
  if (!Array.isArray(nodes)) return [];
  const issues: SpecIssue[] = [];
  nodes.forEach((node, index) => {
    if (issues.length < ISSUES_MAX) issues.push(...issuesOfNode(catalog, node, `/nodes/${index}`));
  });
  return issues;
}

function issuesOfNode(catalog: Pick<Catalog, 'find'>, value: unknown, path: string): SpecIssue[] {
  const node = toObject(value);
  if (!node) return [];
  const input = toObject(node.input);
  if (node.type === 'map.fanout' && input) return issuesOfNode(catalog, input.subnode, `${path}/input/subnode`);
  if (!ASKING.has(String(node.type)) || (input && 'cases' in input)) return [];
  const places: [string, unknown][] = [
    [`${path}/input/request`, input?.request],
    [`${path}/input`, input],
    ...(node.type === 'agent.run' ? ([[path, node]] as [string, unknown][]) : []),
  ];
  const [at, request] = places.find(([, place]) => toObject(place)?.model !== undefined) ?? [];
  const { model, provider } = toObject(request) ?? {};
  if (typeof model !== 'string' || isBound(node, input)) return [];
  if (catalog.find(model, typeof provider === 'string' ? provider : undefined)) return [];
  return [{ code: 'UNKNOWN_MODEL', path: `${at}/model`, message: `unknown model ${model}` }];
}

function isBound(node: Json, input: Json | undefined): boolean {
  const bindings = input?.bindings ?? node.bindings;
  return Array.isArray(bindings) && bindings.some((binding) => toObject(binding)?.to === '/model');
}

function toObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
