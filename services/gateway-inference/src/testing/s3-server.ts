import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const credentials = {
  accessKeyId: 'test-key',
  secretAccessKey: 'test-secret',
  region: 'eu-test-1',
  bucket: 'pictures',
};

export interface S3Server {
  env: Record<string, string>;
  objects: Map<string, { bytes: Buffer; contentType: string | undefined }>;
  /** Answers the next requests with this status instead. */
  failNext(status: number, times: number): void;
  stop(): void;
}

/** The object operations of S3's REST interface. Rejects requests with an invalid Signature Version 4. */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const failures: number[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const failure = failures.shift();
      if (failure !== undefined) return res.writeHead(failure).end();
      const body = Buffer.concat(chunks);
      if (!isSigned(req, body)) return res.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
      const key = req.url!.slice(`/${credentials.bucket}/`.length);
      if (req.method === 'PUT') {
        objects.set(key, { bytes: body, contentType: req.headers['content-type'] });
        return res.writeHead(200).end();
      }
      if (req.method === 'DELETE') {
        objects.delete(key);
        return res.writeHead(204).end();
      }
      const found = objects.get(key);
      return found ? res.writeHead(200).end(found.bytes) : res.writeHead(404).end('<Code>NoSuchKey</Code>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    objects,
    env: {
      IMAGE_STORAGE_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      IMAGE_STORAGE_S3_BUCKET: credentials.bucket,
      IMAGE_STORAGE_S3_REGION: credentials.region,
      IMAGE_STORAGE_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      IMAGE_STORAGE_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    failNext: (status, times) => failures.push(...Array<number>(times).fill(status)),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Computes the signature from the request, by "Signature Version 4 signing process" of the AWS documentation. */
function isSigned(req: IncomingMessage, body: Buffer): boolean {
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    req.headers.authorization ?? '',
  );
  if (!match) return false;
  const [, credential = '', signedHeaders = '', signature = ''] = match;
  const [accessKeyId, ...scope] = credential.split('/');
  const payloadHash = String(req.headers['x-amz-content-sha256']);
  const isPayloadRight = payloadHash === 'UNSIGNED-PAYLOAD' || payloadHash === sha256(body);
  if (accessKeyId !== credentials.accessKeyId || !isPayloadRight) return false;
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(req.headers[name]).trim()}\n`);
  const [path, query = ''] = req.url!.split('?');
  const canonical = [req.method, path, query, headers.join(''), signedHeaders, payloadHash].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', req.headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n');
  const key = [scope[0]!, credentials.region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${credentials.secretAccessKey}`),
  );
  const expected = createHmac('sha256', key).update(toSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
