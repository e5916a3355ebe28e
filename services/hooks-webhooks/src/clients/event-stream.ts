/** One server-sent event. */
export interface StreamEvent {
  /** Lines of data; undefined for an event without data. */
  data?: string;
  /** The position after the event, which resumes the stream. */
  id?: string;
  /** The pause before the stream is resumed. */
  retryMs?: number;
}

/** Returns the events of a stream in the order of arrival. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event: StreamEvent = {};
  for await (const line of readLines(body)) {
    if (line !== '') addLine(event, line);
    else {
      if (Object.keys(event).length > 0) yield event;
      event = {};
    }
  }
  // A server that ends without the last empty line has sent all of the event.
  if (Object.keys(event).length > 0) yield event;
}

function addLine(event: StreamEvent, line: string): void {
  const [, field, value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
  if (field === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  else if (field === 'id') event.id = value;
  else if (field === 'retry' && /^\d{1,9}$/.test(value)) event.retryMs = Number(value);
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
