import { readFileSync } from 'node:fs';
import * as grpc from '@grpc/grpc-js';

/** PEM files. With `caFile` on both sides the peers verify each other (mTLS). Absent = plain text. */
export interface TlsFiles {
  certFile?: string | undefined;
  keyFile?: string | undefined;
  caFile?: string | undefined;
}

export function serverCredentials(tls?: TlsFiles): grpc.ServerCredentials {
  if (!tls?.certFile || !tls.keyFile) return grpc.ServerCredentials.createInsecure();
  const ca = tls.caFile ? readFileSync(tls.caFile) : null;
  const pair = { cert_chain: readFileSync(tls.certFile), private_key: readFileSync(tls.keyFile) };
  return grpc.ServerCredentials.createSsl(ca, [pair], ca !== null);
}

export function clientCredentials(tls?: TlsFiles): grpc.ChannelCredentials {
  if (!tls?.caFile) return grpc.credentials.createInsecure();
  const ca = readFileSync(tls.caFile);
  if (!tls.certFile || !tls.keyFile) return grpc.credentials.createSsl(ca);
  return grpc.credentials.createSsl(ca, readFileSync(tls.keyFile), readFileSync(tls.certFile));
}
