import type * as grpc from '@grpc/grpc-js';
import {
  decodeOutbound,
  decodeReplies,
  encodeOutbound,
  encodeReplies,
  type LaneOutbound,
  type LaneReply,
} from './lane-codec.js';

/** grpc-js definition of tollgate.rpc.v1.LaneService.Open with the hand-written codec. */
export const OPEN: grpc.MethodDefinition<LaneOutbound, LaneReply[]> = {
  path: '/tollgate.rpc.v1.LaneService/Open',
  requestStream: true,
  responseStream: true,
  requestSerialize: encodeOutbound,
  requestDeserialize: decodeOutbound,
  responseSerialize: encodeReplies,
  responseDeserialize: decodeReplies,
};

/** Reply items of one streaming call that may be on their way before the reader takes some. */
export const STREAM_WINDOW = 64;
