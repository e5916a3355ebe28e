/** Reads models as a person writes them: ids with spaces or commas between them, `id=name` where the vendor has another name. */
export function readModels(text: string): { model: string; upstream_model?: string }[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.map((part) => {
    const [model = '', name] = part.split('=', 2);
    return { model, ...(name && { upstream_model: name }) };
  });
}
