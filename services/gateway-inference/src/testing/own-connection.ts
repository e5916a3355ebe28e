import type { MessageInitShape } from '@bufbuild/protobuf';
import type { OpenedConnectionSchema } from '@tollgate/contracts/billing/v1/connections_pb.js';

/** Returns a project's connection, with one key, as the ledger returns it. */
export function ownConnection(
  baseUrl: string,
  {
    entry = {},
    models = [{ modelId: 'two-routes', upstreamModel: 'mine' }],
    ...more
  }: { id?: string; version?: number; name?: string; entry?: object; models?: object[] } = {},
): MessageInitShape<typeof OpenedConnectionSchema> {
  const keys = [{ last_four: 'cret', weight: 1 }];
  const entryJson = JSON.stringify({ wire: 'anthropic', base_url: baseUrl, keys, header_names: ['x-team'], ...entry });
  return {
    connection: { id: 'c1', version: 1, name: 'mine', entryJson, models, ...more },
    secretsJson: JSON.stringify({ keys: [{ secret: 'sk-secret' }], headers: { 'x-team': 'blue' } }),
  };
}
