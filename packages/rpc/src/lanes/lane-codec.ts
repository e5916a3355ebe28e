import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { decodeMessage, encodeMessage, MessageWriter } from '@tollgate/contracts/codec';
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

const VARINT = WireType.Varint;
const LENGTH_DELIMITED = WireType.LengthDelimited;

const writer = new MessageWriter();

export function encodeOutbound(message: LaneOutbound): Buffer {
  writer.start();
  for (const call of message.calls) {
    const start = startField(1);
    writeUint32(1, call.id);
    writeText(2, call.method);
    writeBytes(3, call.payload);
    if (call.timeoutMs > 0) writeUint32(4, call.timeoutMs);
    writeText(5, call.requestId);
    writeBytes(6, call.principal);
    writeText(7, call.traceparent);
    if (call.more) writeTrue(8);
    writer.join(start);
  }
  if (message.cancels.length > 0) {
    const start = startField(2);
    for (const id of message.cancels) writer.uint32(id);
    writer.join(start);
  }
  for (const credit of message.credits) {
    const start = startField(3);
    writeUint32(1, credit.id);
    writeUint32(2, credit.items);
    writer.join(start);
  }
  return writer.finish();
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
  writer.start();
  for (const reply of message.replies) {
    const start = startField(1);
    writeUint32(1, reply.id);
    if (reply.payload) {
      writer.uint32((2 << 3) | LENGTH_DELIMITED);
      writer.bytes(reply.payload);
    }
    if (reply.end) writeTrue(3);
    if (reply.error) writeBytes(4, encodeMessage(ErrorDetailSchema, reply.error));
    if (reply.more) writeTrue(5);
    writer.join(start);
  }
  if (message.retire) writeTrue(2);
  return writer.finish();
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
    else if (field === 4) reply.error = decodeMessage(ErrorDetailSchema, r.bytes());
    else if (field === 5) reply.more = r.bool();
    else r.skip(wire, field);
  }
  return reply;
}

/** Starts a message; `writer.join` ends it. */
function startField(field: number): number {
  writer.uint32((field << 3) | LENGTH_DELIMITED);
  return writer.fork();
}

function writeUint32(field: number, value: number): void {
  writer.uint32((field << 3) | VARINT);
  writer.uint32(value);
}

function writeTrue(field: number): void {
  writer.uint32((field << 3) | VARINT);
  writer.bool(true);
}

/** Writes nothing for empty text. */
function writeText(field: number, text: string): void {
  if (text === '') return;
  writer.uint32((field << 3) | LENGTH_DELIMITED);
  writer.string(text);
}

/** Writes nothing for no bytes. */
function writeBytes(field: number, bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  writer.uint32((field << 3) | LENGTH_DELIMITED);
  writer.bytes(bytes);
}
