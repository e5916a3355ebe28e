/** Returns a function that builds a value at its first call and keeps it: what few requests need costs no start its time. */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
