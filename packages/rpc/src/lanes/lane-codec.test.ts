import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { ErrorDetailSchema } from '@tollgate/contracts/common/v1/error_pb.js';
import { OpenRequestSchema, OpenResponseSchema } from '@tollgate/contracts/rpc/v1/lane_pb.js';
import { decodeInbound, decodeOutbound, encodeInbound, encodeOutbound, type LaneReply } from './lane-codec.js';

const outbound = {
  calls: [
    {
      id: 1,
      method: '/a.B/C',
      payload: Uint8Array.of(1, 2, 3),
      timeoutMs: 500,
      requestId: 'r',
      principal: Uint8Array.of(9),
      traceparent: 't',
    },
    {
      id: 4_294_967_295,
      method: '/a.B/D',
      payload: new Uint8Array(),
      timeoutMs: 1,
      requestId: '',
      principal: new Uint8Array(),
      traceparent: '',
      more: true,
    },
  ],
  cancels: [3, 70_000],
  credits: [{ id: 2, items: 32 }],
};
const replies: LaneReply[] = [
  { id: 7, payload: Uint8Array.of(1), end: true, more: true },
  { id: 8, payload: new Uint8Array(), end: false },
  { id: 9, end: true, error: create(ErrorDetailSchema, { code: 'NOT_FOUND', message: 'm', extrasJson: '{}' }) },
];

describe('the hand-written lane codec speaks lane.proto', () => {
  it('encodes and decodes requests', () => {
    expect(fromBinary(OpenRequestSchema, encodeOutbound(outbound))).toEqual(create(OpenRequestSchema, outbound));
    expect(decodeOutbound(toBinary(OpenRequestSchema, create(OpenRequestSchema, outbound)))).toEqual(outbound);
  });

  it.each([true, false])('encodes and decodes replies, retire: %s', (retire) => {
    const message = create(OpenResponseSchema, { replies, retire } as MessageInitShape<typeof OpenResponseSchema>);
    expect(fromBinary(OpenResponseSchema, encodeInbound({ replies, retire }))).toEqual(message);
    expect(decodeInbound(toBinary(OpenResponseSchema, message))).toEqual({ replies, retire });
  });
});
