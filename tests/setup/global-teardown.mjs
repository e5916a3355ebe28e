export default async function globalTeardown() {
  await globalThis.tollgateTestServer?.stop();
}
