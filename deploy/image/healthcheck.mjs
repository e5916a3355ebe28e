// Asks the service in this container whether it is healthy; exit code 0 = yes. For Docker's HEALTHCHECK and for probes that
// have to speak TLS. Needs nothing but Node: gRPC's health check is one small request over HTTP/2.
//   HTTP_PORT set  → GET /readyz on it (the edge)
//   otherwise      → grpc.health.v1.Health/Check on GRPC_PORT, with the RPC_TLS_* files when they are set
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';

const timeoutMs = 2500;
const { HTTP_PORT, GRPC_PORT = '50051', RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE, RPC_TLS_CA_FILE } = process.env;

setTimeout(() => end('no answer in time'), timeoutMs).unref();
(HTTP_PORT ? checkHttp() : checkGrpc()).then(
  (problem) => end(problem),
  (error) => end(error.message),
);

function end(problem) {
  if (problem) console.error(`unhealthy: ${problem}`);
  process.exit(problem ? 1 : 0);
}

async function checkHttp() {
  const response = await fetch(`http://127.0.0.1:${HTTP_PORT}/readyz`);
  return response.ok ? undefined : `HTTP ${response.status}`;
}

async function checkGrpc() {
  const session = RPC_TLS_CERT_FILE && RPC_TLS_KEY_FILE ? connectTls() : connect(`http://127.0.0.1:${GRPC_PORT}`);
  const body = await new Promise((resolve, reject) => {
    const chunks = [];
    session.once('error', reject);
    session
      .request({
        ':method': 'POST',
        ':path': '/grpc.health.v1.Health/Check',
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      .on('error', reject)
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .end(Buffer.alloc(5)); // a gRPC frame around the empty message: the health of the server as a whole
  });
  // The answer is a frame of five bytes, then field 1 (status) = 1 (SERVING).
  return body.length === 7 && body[5] === 0x08 && body[6] === 0x01 ? undefined : 'not serving';
}

/** The certificate names the service, not the loopback address it is asked on. */
function connectTls() {
  return connect(`https://127.0.0.1:${GRPC_PORT}`, {
    cert: readFileSync(RPC_TLS_CERT_FILE),
    key: readFileSync(RPC_TLS_KEY_FILE),
    ca: RPC_TLS_CA_FILE ? readFileSync(RPC_TLS_CA_FILE) : undefined,
    checkServerIdentity: () => undefined,
  });
}
