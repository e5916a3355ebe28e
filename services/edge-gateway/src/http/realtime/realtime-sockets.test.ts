import { create } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { MetricsRegistry } from '@tollgate/metrics';
import { RealtimeSockets } from './realtime-sockets.js';

const limits = { socketsMax: 4, perProjectMax: 3, perCustomerMax: 2, messageBytesMax: 65_536 };
let sockets: RealtimeSockets | undefined;
afterEach(() => sockets?.terminate());

function caller(projectId: string, customerId = '') {
  return create(PrincipalSchema, { projectId, customerId });
}

describe('places for sockets', () => {
  it('limits sockets per customer, per project and per process, and frees places', () => {
    sockets = new RealtimeSockets(limits, new MetricsRegistry().forService('test'));
    const free = sockets.take(caller('p', 'c'));
    sockets.take(caller('p', 'c'));
    expect(() => sockets!.take(caller('p', 'c'))).toThrow(expect.objectContaining({ code: 'RATE_LIMIT' }));
    sockets.take(caller('p', 'other'));
    expect(() => sockets!.take(caller('p'))).toThrow('the project has 3');
    sockets.take(caller('q'));
    expect(() => sockets!.take(caller('r'))).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    free();
    sockets.take(caller('p', 'c'));
  });
});
