import { anyBindings, llmOptions, nodeBindings, responsesBody } from '@tollgate/api';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import { isPointer, pointerTokens, resolvePointer, toPointer } from '../json-pointer.js';
import { placeholderText, textsOf } from '../placeholders.js';
import type { Binding, ModelFields } from '../plan.js';
import type { CompiledNode, CompileScope, Read } from './compiled-node.js';
import type { Issues, Path } from './issues.js';
import { readsOf, referenceOf } from './sources.js';

const OPTIONS = ['stream', 'tool_execution', 'tool_limits', 'bindings'] as const;

/** `llm.responses`: the input is the request's body itself, or `{request, …options}`. */
export function compileLlmResponses(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const model = compileModelFields(spec, path, scope, []);
  return model && { node: { id, type: 'llm.responses', ...model.fields }, reads: model.reads };
}

/** What a node that asks a model says. `more`: bindings from elsewhere, for example those of a fan-out's items. */
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
  const given = optionsOf(spec, input);
  const options = issues.parse(llmOptions, given, [...path, 'input']);
  const bindingsPath = [...path, 'input', 'bindings'];
  const own = compileBindings(given.bindings, bindingsPath, scope);
  if (!isJsonObject(request)) {
    issues.add('INVALID_VALUE', requestPath, 'must be an object');
    return undefined;
  }
  if (!options || !own) return undefined;
  checkBindings(request, own, bindingsPath, issues);
  const bindings = [...own, ...more];
  checkRequest(request, bindings, requestPath, issues);
  const reads = readsOf(own.map((source, index) => ({ source, path: [...bindingsPath, index] })));
  return { fields: { request, ...options, bindings }, reads };
}

export function compileBindings(value: Json | undefined, path: Path, scope: CompileScope): Binding[] | undefined {
  const parsed = scope.issues.parse(scope.kind === 'workflow.v0' ? nodeBindings : anyBindings, value, path);
  return parsed?.map((binding, index) => {
    const { pointer, to, to_placeholder, encoding } = binding;
    const from = referenceOf(binding, [...path, index], scope);
    return {
      from,
      pointer,
      ...(to === undefined ? { to_placeholder } : { to }),
      ...(encoding !== undefined && { encoding }),
    } as Binding;
  });
}

/** The options stand in the input; on the node itself they are understood too. */
function optionsOf(spec: JsonObject, input: JsonObject): JsonObject {
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

/** Whether each binding has a place in the request to go to. */
export function checkBindings(request: JsonObject, bindings: readonly Binding[], path: Path, issues: Issues): void {
  const texts = textsOf(request);
  for (const [index, binding] of bindings.entries()) {
    if (binding.to !== undefined) {
      if (!hasParent(request, binding.to)) {
        issues.add('BINDING_TARGET', [...path, index, 'to'], `the request has no place ${binding.to}`);
      }
    } else if (!texts.some((text) => text.includes(placeholderText(binding.to_placeholder)))) {
      const message = `the prompt has no placeholder ${placeholderText(binding.to_placeholder)}`;
      issues.add('BINDING_TARGET', [...path, index, 'to_placeholder'], message);
    }
  }
}

function hasParent(request: JsonObject, pointer: string): boolean {
  const parent = resolvePointer(request, toPointer(pointerTokens(pointer).slice(0, -1)));
  return parent.found && typeof parent.value === 'object' && parent.value !== null;
}

/** Checks the body as far as it is known: what a binding will put in is checked when the node runs. */
export function checkRequest(request: Json, bindings: readonly Binding[], path: Path, issues: Issues): void {
  const result = responsesBody.safeParse(request, { reportInput: true });
  if (result.success) return;
  const targets = bindings.map((binding) => binding.to).filter((to) => to !== undefined && isPointer(to));
  const certain = result.error.issues.filter((issue) => {
    const at = toPointer(issue.path);
    return !targets.some((to) => isSameOrBelow(at, to as string) || isSameOrBelow(to as string, at));
  });
  issues.addSchemaIssues(certain, path);
}

function isSameOrBelow(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`);
}
