import {
  type CompatibleResponsesBody,
  calledName,
  isWebSearch,
  listResponsesTools,
  type NamedTool,
} from '@tollgate/api/compatible';
import type { FunctionTool, ProviderTool } from '../../domain/model-request.js';
import { vendorOnly } from '../refused.js';

/** How the calls of a tool are written in this dialect. */
export type CallForm = 'function' | 'custom' | 'local_shell' | 'tool_search';

/** A tool of the client, as other providers are offered it and as its calls are returned. */
export interface DeclaredTool {
  form: CallForm;
  /** In the client's spelling, without the namespace. */
  name: string;
  namespace: string | undefined;
  offered: FunctionTool;
}

const customParameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

const localShell: FunctionTool = {
  name: 'local_shell',
  description: 'Runs a command on the local machine and returns its output.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' } },
      timeout_ms: { type: 'integer' },
      working_directory: { type: 'string' },
    },
    required: ['command'],
    additionalProperties: false,
  },
};

/** Returns the tools of the client by the names that other providers use. @throws AppError for a tool that they cannot offer */
export function declareTools(body: CompatibleResponsesBody): Map<string, DeclaredTool> {
  const declared = new Map<string, DeclaredTool>();
  const described = new Set<NamedTool['namespace']>();
  for (const named of listResponsesTools(body)) {
    const tool = declareTool(named, described.has(named.namespace) ? undefined : named.namespace?.description);
    described.add(named.namespace);
    if (tool) declared.set(tool.offered.name, tool);
  }
  return declared;
}

/** Returns how calls of tools are written; unknown names are those of functions. */
export function callForms(body: CompatibleResponsesBody): (name: string) => Omit<DeclaredTool, 'offered'> {
  const declared = declareTools(body);
  return (name) => declared.get(name) ?? { form: 'function', name, namespace: undefined };
}

/** Tools that run at the provider. */
export function providerTools(body: CompatibleResponsesBody): ProviderTool[] {
  const search = listResponsesTools(body).find(({ tool }) => isWebSearch(tool))?.tool;
  if (search?.type !== 'web_search' && search?.type !== 'web_search_2025_08_26') return [];
  const { filters, user_location: location } = search;
  const options = { ...filters, ...(location ? { user_location: location } : {}) };
  return [{ type: 'web', options }];
}

/** `heading`: the description of its namespace, which the first tool of the namespace carries. */
function declareTool(named: NamedTool, heading: string | null | undefined): DeclaredTool | undefined {
  const { tool, namespace } = named;
  const called = calledName(named);
  // A call without a namespace is one of the default namespace.
  const place = called === ('name' in tool ? tool.name : called) ? undefined : namespace?.name;
  switch (tool.type) {
    case 'function': {
      const { name, parameters } = tool;
      const offered = { name: called, description: describe(tool, heading), parameters: parameters ?? undefined };
      return { form: 'function', name, namespace: place, offered };
    }
    case 'custom': {
      const offered = { name: called, description: describe(tool, heading), parameters: customParameters };
      return { form: 'custom', name: tool.name, namespace: place, offered };
    }
    case 'local_shell':
      return { form: 'local_shell', name: called, namespace: undefined, offered: localShell };
    case 'tool_search': {
      if (tool.execution !== 'client') return undefined;
      const { description, parameters } = tool;
      const offered = { name: called, description: description ?? undefined, parameters: parameters ?? undefined };
      return { form: 'tool_search', name: called, namespace: undefined, offered };
    }
    case 'web_search':
    case 'web_search_2025_08_26':
      return undefined;
    default:
      throw vendorOnly('tools', `this model does not support tools of type ${tool.type}`);
  }
}

/** Adds to the description what other providers have no member for. */
function describe(
  tool: Extract<NamedTool['tool'], { type: 'function' | 'custom' }>,
  heading: string | null | undefined,
): string | undefined {
  const parts = [heading, tool.description];
  if (tool.type === 'custom' && tool.format?.definition) {
    parts.push(`The input must match this grammar:\n${tool.format.definition}`);
  }
  const text = parts.filter((part) => part).join('\n\n');
  return text === '' ? undefined : text;
}
