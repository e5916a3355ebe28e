/** Starts an embedded PostgreSQL that lasts as long as the test run. */
export function startTestServer(): Promise<{ url: string; stop(): Promise<void> }>;
