/**
 * OpenTelemetry preload: `node --import @tollgate/runtime/telemetry dist/main.js`. Does nothing, and loads nothing
 * heavy, unless OTEL_ENABLED=1, because automatic instrumentation halves the throughput even when it samples nothing.
 * Configured by the standard OTEL_* variables (OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER …).
 */
import { register } from 'node:module';
import { isTelemetryEnabled } from './telemetry-config.js';

if (isTelemetryEnabled()) await start();

async function start(): Promise<void> {
  // Instrumentation of ES modules needs a loader hook before anything else is imported.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const [
    { NodeSDK },
    { OTLPTraceExporter },
    { HttpInstrumentation },
    { ExpressInstrumentation },
    { GrpcInstrumentation },
  ] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-express'),
    import('@opentelemetry/instrumentation-grpc'),
  ]);
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new GrpcInstrumentation()],
  });
  sdk.start();
  // Spans still buffered are sent while the service drains; the service's own lifecycle ends the process.
  const flush = () => void sdk.shutdown().catch(() => undefined);
  process.once('SIGTERM', flush);
  process.once('SIGINT', flush);
}
