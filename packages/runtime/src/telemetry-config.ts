/** Returns true when `OTEL_ENABLED=1`; OpenTelemetry itself reads the standard OTEL_* variables. */
export function isTelemetryEnabled(): boolean {
  return process.env.OTEL_ENABLED === '1';
}
