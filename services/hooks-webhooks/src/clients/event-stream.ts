/** Returns the data of each event of a stream of server-sent events, in the order of arrival. Skips events without data. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
  }
  // A server that ends without the last empty line has sent all of the event.
  if (data.length > 0) yield data.join('\n');
}

/** Lines end with CR, LF or both. The two may arrive apart. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let hasEndedWithCr = false;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    const lines = (rest + (hasEndedWithCr && text.startsWith('\n') ? text.slice(1) : text)).split(/\r\n|\n|\r/);
    hasEndedWithCr = text.endsWith('\r');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
