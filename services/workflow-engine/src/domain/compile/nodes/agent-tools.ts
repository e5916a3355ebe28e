import { providerToolTypes } from '@tollgate/api/model-requests';
import { underscoredToolName } from '@tollgate/tools';
import type { AgentNode, PlanInput } from '../../plan/plan.js';
import type { Json, JsonObject } from '../../values/json.js';
import { pointerTokens, toPointer } from '../../values/json-pointer.js';
import type { CompileScope } from '../compiled-node.js';
import type { Path } from '../issues.js';
import type { AgentConfig } from './agent-config.js';

/** Every agent can write its memory. */
const MEMORY_TOOL = 'memory_write';

/** The tools that an agent's model may call, and the routes of the calls that are not executed by name. */
export interface AgentTools {
  /** In the form of a model request. */
  declared: JsonObject[];
  routes: AgentNode['routes'];
  /** Names of MCP servers, whose tools are listed when a node starts. */
  mcpServers: string[];
}

/** Compiles an agent's tools. `path`: where the spec names the agent. */
export function compileTools(agent: AgentConfig, path: Path, scope: CompileScope): AgentTools {
  const declared: JsonObject[] = [];
  const routes: AgentNode['routes'] = {};
  const mcpServers: string[] = [];
  for (const { definition, hook_id: hookId, fragment, mcp_server: mcpServer } of agent.tools) {
    if (mcpServer !== undefined) {
      mcpServers.push(mcpServer);
    } else if (fragment) {
      const key = scope.fragments.use(agent, fragment.ref, path, scope);
      if (key === undefined) continue;
      const declaredInputs = scope.fragments.compiled.get(key)?.inputs ?? [];
      const inputs = Object.fromEntries(
        declaredInputs.map(({ name }) => [name, fragment.inputs?.[name] ?? toPointer([name])]),
      );
      routes[underscoredToolName(fragment.ref)] = { to: 'fragment', key, inputs };
      declared.push(fragmentTool(fragment.ref, agent.fragments[fragment.ref]?.description, declaredInputs, inputs));
    } else if (definition) {
      declared.push(definition as JsonObject);
      if (hookId === undefined) continue;
      const name = underscoredToolName(definition.function?.name ?? definition.type);
      routes[name] = { to: 'hook', hook_id: hookId };
      if ((providerToolTypes as readonly string[]).includes(definition.type)) {
        scope.issues.add('UNSUPPORTED_FIELD', path, `the provider runs ${definition.type}; a tool hook cannot`);
      }
    }
  }
  if (!declared.some((tool) => toolName(tool) === MEMORY_TOOL)) declared.push(functionTool(MEMORY_TOOL));
  return { declared, routes, mcpServers };
}

export function functionTool(name: string, description?: string, parameters?: JsonObject): JsonObject {
  const more = { ...(description !== undefined && { description }), ...(parameters && { parameters }) };
  return { type: 'function', function: { name, ...more } };
}

function toolName(tool: JsonObject): string {
  return underscoredToolName(String((tool.function as JsonObject | undefined)?.name ?? tool.type));
}

/** Declares a fragment as a tool. Its parameters have a property for every input. */
function fragmentTool(
  name: string,
  description: unknown,
  inputs: readonly PlanInput[],
  pointers: Readonly<Record<string, string>>,
): JsonObject {
  const parameters: JsonObject = { type: 'object', properties: {} };
  for (const input of inputs) {
    const place = pointerTokens(pointers[input.name] ?? '');
    if (place.length > 0) addProperty(parameters, place, input);
  }
  return functionTool(name, typeof description === 'string' ? description : `Runs the workflow ${name}.`, parameters);
}

function addProperty(schema: JsonObject, [name, ...rest]: string[], input: PlanInput): void {
  if (name === undefined) return;
  schema.properties ??= {};
  const properties = schema.properties as JsonObject;
  if (!Object.hasOwn(properties, name)) properties[name] = rest.length > 0 ? { type: 'object' } : inputSchema(input);
  if (input.required && input.default === undefined) {
    const required = new Set([...((schema.required as string[] | undefined) ?? []), name]);
    schema.required = [...required];
  }
  if (rest.length > 0) addProperty(properties[name] as JsonObject, rest, input);
}

function inputSchema({ type }: PlanInput): Json {
  return type === 'json' ? {} : { type };
}
