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

/** How many units (`replyUnits`) of unread replies a streaming call may have. */
export const STREAM_WINDOW = 64;
const BYTES_PER_UNIT = 1024;

/** Units of its call's window that a reply uses: small replies are bounded by number, larger ones by bytes. */
export function replyUnits(payloadBytes: number): number {
  return 1 + Math.floor(payloadBytes / BYTES_PER_UNIT);
}

/** A larger request or reply fails alone. Much larger than every body that the edge accepts. */
export const CALL_BYTES_MAX = 60 * 1024 * 1024;

const VERSION_KEY = 'tollgate-lane-version';
const VERSION = 2;

/** Initial metadata of both peers: the version of lane.proto that they understand. */
export function laneMetadata(): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set(VERSION_KEY, String(VERSION));
  return metadata;
}

/** Whether the peer that sent this metadata joins parts and counts a call's window in units. */
export function isCurrentPeer(metadata: grpc.Metadata): boolean {
  return Number(metadata.get(VERSION_KEY)[0] ?? 1) >= VERSION;
}
