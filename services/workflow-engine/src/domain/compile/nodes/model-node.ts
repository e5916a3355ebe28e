import { responsesBody } from '@tollgate/api/model-requests';
import { anyBinding, workflowLimits as limits, llmOptions, nodeBinding } from '@tollgate/api/runs';
import type { z } from 'zod';
import type { Binding, ModelFields } from '../../plan/plan.js';
import { placeholderText, promptTexts } from '../../step/placeholders.js';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import { isPointer, pointerTokens, resolvePointer, toPointer } from '../../values/json-pointer.js';
import { safeParse } from '../../values/safe-parse.js';
import type { CompiledNode, CompileScope, Read } from '../compiled-node.js';
import { findReads, toReference } from '../graph/sources.js';
import type { Issues, Path, Placed } from '../issues.js';

const OPTIONS = ['stream', 'tool_execution', 'tool_limits', 'mcp_servers', 'bindings'] as const;

/** Compiles `llm.responses`, whose input is the request body itself or `{request, …options}`. */
export function compileLlmResponses(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const model = compileModelFields(spec, path, scope, []);
  return model && { node: { id, type: 'llm.responses', ...model.fields }, reads: model.reads };
}

/**
 * Compiles the fields of a node that asks a model. `more`: additional bindings, for example those of a fan-out's items.
 */
export function compileModelFields(
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
  more: readonly Binding[],
): { fields: ModelFields; reads: Read[] } | undefined {
  const { issues } = scope;
  const input = spec.input;
  if (!isJsonObject(input)) {
    issues.add(input === undefined ? 'REQUIRED' : 'INVALID_VALUE', [...path, 'input'], 'must be an object');
    return undefined;
  }
  const wrapped = 'request' in input;
  const requestPath = wrapped ? [...path, 'input', 'request'] : [...path, 'input'];
  const request = wrapped ? input.request : withoutOptions(input);
  const sent = readOptions(spec, input);
  const options = issues.parse(llmOptions, sent, [...path, 'input']);
  const bindingsPath = [...path, 'input', 'bindings'];
  const own = compileBindings(sent.bindings, bindingsPath, scope);
  if (!isJsonObject(request)) {
    issues.add('INVALID_VALUE', requestPath, 'must be an object');
    return undefined;
  }
  checkBindings(request, own, issues);
  checkRequest(request, bindingTargets(sent.bindings, more), requestPath, issues);
  if (!options) return undefined;
  const { mcp_servers: servers, ...others } = options;
  const bindings = [...own.map(({ value }) => value), ...more];
  const fields = { request, ...others, bindings, ...(servers && { mcp_servers: servers }) };
  return { fields, reads: bindingReads(own) };
}

/** Returns the valid bindings with their paths. */
export function compileBindings(value: Json | undefined, path: Path, scope: CompileScope): Placed<Binding>[] {
  const schema: z.ZodType<z.output<typeof anyBinding>> = scope.kind === 'workflow.v0' ? nodeBinding : anyBinding;
  return scope.issues.parseEach(schema, value, path, limits.bindingsPerNode).map(({ value: binding, path: at }) => {
    const { pointer, to, to_placeholder, encoding } = binding;
    const from = toReference(binding, at, scope);
    const target = to === undefined ? { to_placeholder } : { to };
    return { value: { from, pointer, ...target, ...(encoding !== undefined && { encoding }) } as Binding, path: at };
  });
}

export function bindingReads(bindings: readonly Placed<Binding>[]): Read[] {
  return findReads(bindings.map(({ value: source, path }) => ({ source, path })));
}

/** Returns the pointers of the request that bindings will fill, including those of invalid bindings. */
export function bindingTargets(bindings: Json | undefined, more: readonly Binding[]): string[] {
  const own = Array.isArray(bindings)
    ? bindings.map((binding) => (isJsonObject(binding) ? binding.to : undefined))
    : [];
  return [...own, ...more.map(({ to }) => to)].filter((to): to is string => typeof to === 'string' && isPointer(to));
}

/** Reads the options from the input, or from the node itself. */
function readOptions(spec: JsonObject, input: JsonObject): JsonObject {
  const options: JsonObject = {};
  for (const name of OPTIONS) {
    const value = input[name] ?? spec[name];
    if (value !== undefined) options[name] = value;
  }
  return options;
}

function withoutOptions(input: JsonObject): JsonObject {
  const request = { ...input };
  for (const name of OPTIONS) delete request[name];
  return request;
}

/** Checks that each binding has a target in the request. */
export function checkBindings(request: JsonObject, bindings: readonly Placed<Binding>[], issues: Issues): void {
  const texts = promptTexts(request);
  for (const { value: binding, path } of bindings) {
    if (binding.to !== undefined) {
      if (!hasParent(request, binding.to)) {
        issues.add('BINDING_TARGET', [...path, 'to'], `the request has no location ${binding.to}`);
      }
    } else if (!texts.some((text) => text.includes(placeholderText(binding.to_placeholder)))) {
      const message = `the prompt has no placeholder ${placeholderText(binding.to_placeholder)}`;
      issues.add('BINDING_TARGET', [...path, 'to_placeholder'], message);
    }
  }
}

function hasParent(request: JsonObject, pointer: string): boolean {
  const parent = resolvePointer(request, toPointer(pointerTokens(pointer).slice(0, -1)));
  return parent.found && typeof parent.value === 'object' && parent.value !== null;
}

/** Checks the known parts of the body. Values of bindings are checked when the node runs. */
export function checkRequest(request: Json, targets: readonly string[], path: Path, issues: Issues): void {
  const result = safeParse(responsesBody, request);
  if (result.success) return;
  const certain = result.error.issues.filter((issue) => {
    const at = toPointer(issue.path);
    return !targets.some((to) => isSameOrBelow(at, to) || isSameOrBelow(to, at));
  });
  issues.addSchemaIssues(certain, path);
}

function isSameOrBelow(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`);
}
