import { providerToolTypes } from '@tollgate/api/model-requests';
import type { UpdateAgentBody } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';

type References = Pick<UpdateAgentBody, 'input_schema' | 'model' | 'tools'>;
type Fault = { field: string; message: string };
type Definition = NonNullable<NonNullable<References['tools']>[number]['definition']>;

/**
 * Rejects an agent whose model, input schema, tool hooks or MCP servers its runs could not use. Does not check absent fields.
 *
 * @throws AppError VALIDATION_ERROR listing every such field
 */
export async function checkAgentReferences(
  ctx: Pick<Context, 'catalog' | 'clients' | 'schemas'>,
  { input_schema: inputSchema, model, tools }: References,
  call: Call,
): Promise<void> {
  const faults = [
    ...(model && !ctx.catalog.find(model)
      ? [{ field: 'model', message: `unknown model ${model}${ctx.catalog.adviceOn(model)}` }]
      : []),
    ...(inputSchema ? await schemaFaults(ctx, inputSchema, call) : []),
    ...(await hookFaults(ctx, tools ?? [], call)),
    ...(await mcpServerFaults(ctx, tools ?? [], call)),
  ];
  if (faults.length === 0) return;
  const message = faults.map(({ field, message: reason }) => `${field}: ${reason}`).join('; ');
  throw new AppError('VALIDATION_ERROR', message, { fields: faults });
}

async function schemaFaults(
  { schemas }: Pick<Context, 'schemas'>,
  schema: NonNullable<References['input_schema']>,
  call: Call,
): Promise<Fault[]> {
  const { fault } = await schemas.check(call.requirePrincipal().accountId, schema);
  return fault === undefined ? [] : [{ field: 'input_schema', message: fault }];
}

async function hookFaults(
  { clients }: Pick<Context, 'clients'>,
  tools: NonNullable<References['tools']>,
  call: Call,
): Promise<Fault[]> {
  const bound = tools.flatMap(({ hook_id: hookId, definition }, index) =>
    hookId !== undefined && definition ? [{ field: `tools[${index}].hook_id`, hookId, definition }] : [],
  );
  if (bound.length === 0) return [];
  const bindings = bound.map(({ hookId, definition }) => ({ hookId, toolName: toolName(definition) }));
  const { faults } = await clients.toolHooks.checkToolBindings({ bindings }, call);
  return bound.flatMap(({ field, definition: { type } }, index) => {
    const isProviderTool = (providerToolTypes as readonly string[]).includes(type);
    const message = isProviderTool ? `the provider runs ${type}; a tool hook cannot` : faults[index];
    return message ? [{ field, message }] : [];
  });
}

async function mcpServerFaults(
  { clients }: Pick<Context, 'clients'>,
  tools: NonNullable<References['tools']>,
  call: Call,
): Promise<Fault[]> {
  const named = tools.flatMap(({ mcp_server: name }, index) => (name === undefined ? [] : [{ name, index }]));
  if (named.length === 0) return [];
  const names = named.map(({ name }) => name);
  const { faults } = await clients.mcpServers.checkMcpServers({ names }, call);
  return named.flatMap(({ index }, at) => {
    const message = faults[at];
    return message ? [{ field: `tools[${index}].mcp_server`, message }] : [];
  });
}

function toolName({ type, function: declared }: Definition): string {
  return declared?.name ?? type;
}
