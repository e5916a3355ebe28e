import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { vendorOnly } from '../../dialects/refused.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { isCommon, isHint, type RequestedParameter } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { CalledModel, ForwardedRequest, Provider } from '../../providers/contract/provider.js';

/** As coding agents and runs name the tools of MCP servers. */
const MCP_PREFIX = 'mcp__';
/** Tools that one header names. */
const NAMED_TOOLS_MAX = 20;

interface FittedPlan {
  readonly call: Call;
  readonly info: TurnInfo;
  readonly parameters: readonly RequestedParameter[];
}

/**
 * Leaves out the parameters that the provider lacks, or refuses the first parameter that is more than a hint.
 *
 * @throws AppError naming that parameter, as the client writes it, and the setting that leaves it out
 */
export function fitParameters(
  { call, info, parameters }: FittedPlan,
  provider: Provider,
  called: CalledModel,
  forward: ForwardedRequest | undefined,
): ForwardedRequest | undefined {
  const ofModel = provider.lacks?.(called) ?? [];
  const lacks = ({ parameter }: RequestedParameter): boolean => {
    // Conversions carry known parameters only.
    if (parameter === 'unknown') return forward !== undefined;
    if (ofModel.includes(parameter)) return true;
    if (forward) return provider.lackedParameters?.includes(parameter) ?? false;
    return !isCommon(parameter) && !provider.parameters(called.upstreamModel).includes(parameter);
  };
  const lacked = parameters.filter(lacks);
  delete info.droppedParameters;
  if (lacked.length === 0) return forward;
  const refused = call.principal?.dropsUnsupportedParameters ? undefined : lacked.find((each) => !isHint(each));
  if (refused) throw vendorOnly(refused.field, describe(refused));
  info.droppedParameters = lacked.map(({ field }) => field);
  if (!forward) return undefined;
  const body = lacked.reduce(
    (rest, { parameter, field }) => omitField(rest, parameter === 'unknown' ? [field] : field.split('.')),
    forward.body,
  );
  return { ...forward, body };
}

function describe({ parameter, field }: RequestedParameter): string {
  const setting = "the project's setting unsupported_parameters";
  if (parameter === 'json_object') {
    return `JSON without a schema is not supported by this model: use a schema, or set ${setting} to drop to ask for JSON by an instruction`;
  }
  if (parameter === 'unknown')
    return `${field} is not known and may have a price; set ${setting} to drop to leave it out`;
  return `${field.split('.').at(-1)} is not supported by this model; set ${setting} to drop to leave such parameters out`;
}

/**
 * Returns the request with the functions that the provider can offer. Leaves the tools of MCP servers that it cannot offer out,
 * because the client does not write them. @throws AppError naming another such tool
 */
export function fitTools(request: ModelRequest, info: TurnInfo, provider: Provider): () => ModelRequest {
  const left: string[] = [];
  for (const tool of request.tools) {
    const fault = provider.toolFault?.(tool);
    if (fault === undefined) continue;
    if (!tool.name.startsWith(MCP_PREFIX)) {
      const message = `the tool ${tool.name} cannot be offered to this model: ${fault}`;
      throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'tools', message }] });
    }
    left.push(tool.name);
  }
  if (left.length === 0) return () => request;
  const named = left.slice(0, NAMED_TOOLS_MAX).map((name) => `tools.${name}`);
  info.droppedParameters = [...(info.droppedParameters ?? []), ...named];
  const tools = request.tools.filter(({ name }) => !left.includes(name));
  const { toolChoice } = request;
  const isLost = toolChoice?.function !== undefined && left.includes(toolChoice.function);
  const fitted = { ...request, tools, toolChoice: isLost || tools.length === 0 ? undefined : toolChoice };
  return () => fitted;
}

/** Returns an object without the member at a path. */
function omitField<T extends Readonly<Record<string, unknown>>>(object: T, [name = '', ...path]: readonly string[]): T {
  const { [name]: member, ...rest } = object;
  if (path.length === 0) return rest as T;
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return object;
  return { ...object, [name]: omitField(member as Record<string, unknown>, path) };
}
