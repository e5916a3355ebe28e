/** Yields the JSON documents of an NDJSON answer as they arrive. */
export async function* readLines<T>(response: Response): AsyncGenerator<T> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T;
    }
    if (rest.trim() !== '') yield JSON.parse(rest) as T;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
