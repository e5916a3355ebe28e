// Receives traces by OTLP over HTTP, as a collector does, and builds trees of their spans.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unspecified';
  fields: Record<string, string | number | boolean>;
  hasFailed: boolean;
}

export interface OtlpSink {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: readonly ReceivedSpan[];
  stop(): Promise<void>;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const STATUS_ERROR = 2;

export async function startOtlpSink(): Promise<OtlpSink> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (req.url === '/v1/traces') spans.push(...readRequest(Buffer.concat(chunks)));
    res.writeHead(req.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Fields = Map<number, (Uint8Array | bigint)[]>;

/** opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest */
function readRequest(bytes: Uint8Array): ReceivedSpan[] {
  return messages(bytes, 1).flatMap((resourceSpans) => {
    const attributes = messages(resourceSpans, 1).flatMap((resource) => messages(resource, 1));
    const service = String(readAttributes(attributes)['service.name']);
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => readSpan(service, span)));
  });
}

function readSpan(service: string, bytes: Uint8Array): ReceivedSpan {
  const fields = readFields(bytes);
  const bytesAt = (field: number) => Buffer.from((fields.get(field)?.[0] as Uint8Array) ?? []);
  const status = readFields(bytesAt(15));
  return {
    service,
    name: bytesAt(5).toString(),
    traceId: bytesAt(1).toString('hex'),
    spanId: bytesAt(2).toString('hex'),
    parentId: bytesAt(4).toString('hex'),
    kind: KINDS[Number(fields.get(6)?.[0] ?? 0)] ?? 'unspecified',
    fields: readAttributes((fields.get(9) ?? []) as Uint8Array[]),
    hasFailed: Number(status.get(3)?.[0] ?? 0) === STATUS_ERROR,
  };
}

function readAttributes(list: readonly Uint8Array[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    list.map((bytes) => {
      const fields = readFields(bytes);
      const value = readFields(fields.get(2)?.[0] as Uint8Array);
      const text = value.get(1)?.[0] as Uint8Array | undefined;
      const name = Buffer.from(fields.get(1)?.[0] as Uint8Array).toString();
      if (text) return [name, Buffer.from(text).toString()];
      const flag = value.get(2)?.[0];
      return [name, flag === undefined ? Number(value.get(3)?.[0] ?? 0) : flag === 1n];
    }),
  );
}

function messages(bytes: Uint8Array, field: number): Uint8Array[] {
  return (readFields(bytes).get(field) ?? []) as Uint8Array[];
}

/** Reads a message without its schema: bytes and numbers by field. */
function readFields(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    let value: Uint8Array | bigint | undefined;
    if (wire === WireType.LengthDelimited) value = reader.bytes();
    else if (wire === WireType.Varint) value = BigInt(reader.uint64());
    else reader.skip(wire, field);
    if (value !== undefined) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

/** A span with its child spans, sorted by name. */
export type SpanTree = [name: string, ...below: SpanTree[]];

/** Returns the spans of a trace as trees. More than one means that a span has lost its parent. */
export function spanTrees(spans: readonly ReceivedSpan[]): SpanTree[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parentId: string): SpanTree[] =>
    spans
      .filter((span) => span.parentId === parentId)
      .map(toTree)
      .sort(byName);
  const toTree = (span: ReceivedSpan): SpanTree => [span.name, ...below(span.spanId)];
  return spans
    .filter(({ parentId }) => !ids.has(parentId))
    .map(toTree)
    .sort(byName);
}

function byName([a]: SpanTree, [b]: SpanTree): number {
  return a < b ? -1 : Number(a > b);
}
