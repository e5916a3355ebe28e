import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type ErrorDetail, ErrorDetailSchema } from '@tollgate/contracts/common/v1/error_pb.js';

/**
 * Encodes the envelope of tollgate.rpc.v1.LaneService without generated code: it wraps every hot call twice, and the
 * reflective codec costs more than the payloads. A test checks that the encoding is compatible with lane.proto.
 */
export interface LaneCall {
  id: number;
  method: string;
  payload: Uint8Array;
  timeoutMs: number;
  requestId: string;
  principal: Uint8Array;
  traceparent: string;
  more?: boolean | undefined;
  /** The account that the call is made for; not sent, see LaneWriter. */
  flow?: string | undefined;
}

export interface LaneOutbound {
  calls: LaneCall[];
  cancels: number[];
  credits: { id: number; items: number }[];
}

export interface LaneReply {
  id: number;
  payload?: Uint8Array | undefined;
  end: boolean;
  error?: ErrorDetail | undefined;
  more?: boolean | undefined;
  /** The account that the call is made for; not sent, see LaneWriter. */
  flow?: string | undefined;
}

export interface LaneInbound {
  replies: LaneReply[];
  /** The server wants no further calls on this stream. */
  retire: boolean;
}

const NOTHING = new Uint8Array(0);

export function encodeOutbound(message: LaneOutbound): Buffer {
  const w = new BinaryWriter();
  for (const c of message.calls) {
    w.tag(1, WireType.LengthDelimited).fork();
    w.tag(1, WireType.Varint).uint32(c.id);
    if (c.method) w.tag(2, WireType.LengthDelimited).string(c.method);
    if (c.payload.length > 0) w.tag(3, WireType.LengthDelimited).bytes(c.payload);
    if (c.timeoutMs > 0) w.tag(4, WireType.Varint).uint32(c.timeoutMs);
    if (c.requestId) w.tag(5, WireType.LengthDelimited).string(c.requestId);
    if (c.principal.length > 0) w.tag(6, WireType.LengthDelimited).bytes(c.principal);
    if (c.traceparent) w.tag(7, WireType.LengthDelimited).string(c.traceparent);
    if (c.more) w.tag(8, WireType.Varint).bool(true);
    w.join();
  }
  if (message.cancels.length > 0) {
    w.tag(2, WireType.LengthDelimited).fork();
    for (const id of message.cancels) w.uint32(id);
    w.join();
  }
  for (const c of message.credits) {
    w.tag(3, WireType.LengthDelimited).fork();
    w.tag(1, WireType.Varint).uint32(c.id);
    w.tag(2, WireType.Varint).uint32(c.items);
    w.join();
  }
  return asBuffer(w.finish());
}

export function decodeOutbound(bytes: Uint8Array): LaneOutbound {
  const r = new BinaryReader(bytes);
  const out: LaneOutbound = { calls: [], cancels: [], credits: [] };
  while (r.pos < r.len) {
    const [field, wire] = r.tag();
    if (field === 1) out.calls.push(decodeCall(r, r.uint32()));
    else if (field === 2 && wire === WireType.LengthDelimited) {
      const end = r.uint32() + r.pos;
      while (r.pos < end) out.cancels.push(r.uint32());
    } else if (field === 2) out.cancels.push(r.uint32());
    else if (field === 3) out.credits.push(decodeCredit(r, r.uint32()));
    else r.skip(wire, field);
  }
  return out;
}

export function encodeInbound(message: LaneInbound): Buffer {
  const w = new BinaryWriter();
  for (const reply of message.replies) {
    w.tag(1, WireType.LengthDelimited).fork();
    w.tag(1, WireType.Varint).uint32(reply.id);
    if (reply.payload) w.tag(2, WireType.LengthDelimited).bytes(reply.payload);
    if (reply.end) w.tag(3, WireType.Varint).bool(true);
    if (reply.error) w.tag(4, WireType.LengthDelimited).bytes(toBinary(ErrorDetailSchema, reply.error));
    if (reply.more) w.tag(5, WireType.Varint).bool(true);
    w.join();
  }
  if (message.retire) w.tag(2, WireType.Varint).bool(true);
  return asBuffer(w.finish());
}

export function decodeInbound(bytes: Uint8Array): LaneInbound {
  const r = new BinaryReader(bytes);
  const out: LaneInbound = { replies: [], retire: false };
  while (r.pos < r.len) {
    const [field, wire] = r.tag();
    if (field === 1) out.replies.push(decodeReply(r, r.uint32()));
    else if (field === 2) out.retire = r.bool();
    else r.skip(wire, field);
  }
  return out;
}

function decodeCall(r: BinaryReader, length: number): LaneCall {
  const call: LaneCall = {
    id: 0,
    method: '',
    payload: NOTHING,
    timeoutMs: 0,
    requestId: '',
    principal: NOTHING,
    traceparent: '',
  };
  const end = r.pos + length;
  while (r.pos < end) {
    const [field, wire] = r.tag();
    if (field === 1) call.id = r.uint32();
    else if (field === 2) call.method = r.string();
    else if (field === 3) call.payload = r.bytes();
    else if (field === 4) call.timeoutMs = r.uint32();
    else if (field === 5) call.requestId = r.string();
    else if (field === 6) call.principal = r.bytes();
    else if (field === 7) call.traceparent = r.string();
    else if (field === 8) call.more = r.bool();
    else r.skip(wire, field);
  }
  return call;
}

function decodeCredit(r: BinaryReader, length: number): { id: number; items: number } {
  const credit = { id: 0, items: 0 };
  const end = r.pos + length;
  while (r.pos < end) {
    const [field, wire] = r.tag();
    if (field === 1) credit.id = r.uint32();
    else if (field === 2) credit.items = r.uint32();
    else r.skip(wire, field);
  }
  return credit;
}

function decodeReply(r: BinaryReader, length: number): LaneReply {
  const reply: LaneReply = { id: 0, end: false };
  const end = r.pos + length;
  while (r.pos < end) {
    const [field, wire] = r.tag();
    if (field === 1) reply.id = r.uint32();
    else if (field === 2) reply.payload = r.bytes();
    else if (field === 3) reply.end = r.bool();
    else if (field === 4) reply.error = fromBinary(ErrorDetailSchema, r.bytes());
    else if (field === 5) reply.more = r.bool();
    else r.skip(wire, field);
  }
  return reply;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
