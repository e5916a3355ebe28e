// openai-audio.mjs LIBRARY: speech and a transcript in events, with a major of OpenAI's library. Prints what it received.
const [library] = process.argv.slice(2);
const { default: OpenAI, toFile } = await import(library);
const { BASE_URL, API_KEY, SPEECH_MODEL, TRANSCRIPT_MODEL, TEXT } = process.env;

const { audio } = new OpenAI({ apiKey: API_KEY, baseURL: `${BASE_URL}/v1`, maxRetries: 0 });

const spoken = await audio.speech.create({ model: SPEECH_MODEL, voice: 'alloy', input: TEXT, stream_format: 'sse' });
// The library has no reader for these events.
const events = (await spoken.text())
  .split('\n\n')
  .filter((each) => each.startsWith('data: '))
  .map((each) => JSON.parse(each.slice('data: '.length)));
const pieces = events.filter(({ type }) => type === 'speech.audio.delta');
const speech = Buffer.concat(pieces.map((event) => Buffer.from(event.audio, 'base64'))).toString();

const file = await toFile(Buffer.alloc(48_000), 'memo.wav', { type: 'audio/wav' });
let transcript = '';
let done;
for await (const event of await audio.transcriptions.create({ model: TRANSCRIPT_MODEL, file, stream: true })) {
  if (event.type === 'transcript.text.delta') transcript += event.delta;
  if (event.type === 'transcript.text.done') done = event;
}
console.log(
  JSON.stringify({
    speech,
    speechUsage: events.at(-1)?.usage,
    transcript,
    text: done?.text,
    transcriptUsage: done?.usage,
  }),
);
