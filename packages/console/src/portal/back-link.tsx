/** A link only: nothing leads there without a click, and only http and https get this far. */
export function BackLink({ url, name }: { url: string; name: string }) {
  return (
    <a href={url} rel="noreferrer" className="font-medium text-accent underline">
      Back to {name}
    </a>
  );
}
