import { type Change, editFile, newFile, type ReadFile, requireKebab, toCamel, toKebab, UsageError } from './names.js';

/**
 * An RPC of a service: its proto definition, its entry in the service's table, an operation and a test that fails until it is written.
 * @param args service, proto file without extension (such as messaging/v1/messaging), proto service, method
 */
export function newRpc([serviceName, protoName, protoService, method]: readonly string[], read: ReadFile): Change[] {
  const service = requireKebab(serviceName, 'the service');
  if (!protoName || !/^[a-z_]+\/v\d+\/[a-z_]+$/.test(protoName)) {
    throw new UsageError('name the proto file without extension, such as messaging/v1/messaging');
  }
  for (const name of [protoService, method]) {
    if (!name || !/^[A-Z][A-Za-z0-9]+$/.test(name))
      throw new UsageError('proto service and method must be in PascalCase');
  }
  const rpc = method!;
  const file = toKebab(rpc);
  const folder = `services/${service}/src`;
  const table = `${folder}/grpc/${toKebab(protoService!)}.ts`;
  const entry = toCamel(file);
  const registered = new RegExp(`(register\\(${protoService}, \\{[\\s\\S]*?)\\n(  \\}\\))`);
  const listed = editFile(read, table, registered, (found) =>
    found.replace(registered, `$1\n    ${entry}: (req, call) => ${entry}(ctx, call.requirePrincipal(), req),\n$2`),
  );
  return [
    addToProto(read, `proto/tollgate/${protoName}.proto`, protoService!, rpc),
    newFile(read, `${folder}/operations/${file}.ts`, operationText(entry, rpc, protoName)),
    newFile(read, `${folder}/operations/${file}.test.ts`, testText(entry, file)),
    { path: table, text: `import { ${entry} } from '../operations/${file}.js';\n${listed.text}` },
  ];
}

function addToProto(read: ReadFile, path: string, service: string, rpc: string): Change {
  const block = new RegExp(`(service ${service} \\{[\\s\\S]*?)\\n\\}`);
  const definition = `  // Returns …\n  rpc ${rpc}(${rpc}Request) returns (${rpc}Response);`;
  const { text } = editFile(read, path, block, (found) => found.replace(/\n\}$/, `\n${definition}\n}`));
  return { path, text: `${text.trimEnd()}\n\nmessage ${rpc}Request {}\n\nmessage ${rpc}Response {}\n` };
}

function operationText(name: string, rpc: string, protoName: string): string {
  return `import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { ${rpc}Request } from '@tollgate/contracts/${protoName}_pb.js';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';

/** Returns … @throws AppError NOT_FOUND */
export async function ${name}(_ctx: Pick<Context, 'pool'>, _principal: Principal, _req: ${rpc}Request): Promise<object> {
  throw new AppError('NOT_FOUND', 'write the operation: read or write the store, return the fields of the response');
}
`;
}

function testText(name: string, file: string): string {
  return `import { expect, it } from '@jest/globals';
import { ${name} } from './${file}.js';

it('returns …', async () => {
  // Rename to ${file}.db.test.ts and pass a pool of testDatabase() once the operation reads the database.
  await expect(${name}({} as never, {} as never, {} as never)).resolves.toEqual({});
});
`;
}
