import * as grpc from '@grpc/grpc-js';
import {
  decodeInbound,
  decodeOutbound,
  encodeInbound,
  encodeOutbound,
  type LaneInbound,
  type LaneOutbound,
} from './lane-codec.js';

/** grpc-js definition of tollgate.rpc.v1.LaneService.Open with the hand-written codec. */
export const OPEN: grpc.MethodDefinition<LaneOutbound, LaneInbound> = {
  path: '/tollgate.rpc.v1.LaneService/Open',
  requestStream: true,
  responseStream: true,
  requestSerialize: encodeOutbound,
  requestDeserialize: decodeOutbound,
  responseSerialize: encodeInbound,
  responseDeserialize: decodeInbound,
};

/** Reply items of one streaming call that may be on their way before the reader takes some. */
export const STREAM_WINDOW = 64;

/** A larger request or reply fails alone. Far above every body that the edge accepts. */
export const CALL_BYTES_MAX = 60 * 1024 * 1024;

const PARTS_KEY = 'tollgate-lane-parts';

/** Initial metadata of both peers: what they understand beyond the first form of lane.proto. */
export function laneMetadata(): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(PARTS_KEY, '1');
  return metadata;
}

/** Whether the peer that sent this metadata puts parts together. */
export function understandsParts(metadata: grpc.Metadata): boolean {
  return metadata.get(PARTS_KEY)[0] === '1';
}
