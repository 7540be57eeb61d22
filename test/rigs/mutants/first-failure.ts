// A reporter that ends the run at the first failing test, because a single failure kills a mutant.

interface TestEvent {
  readonly type: string
  readonly data: { readonly todo?: string | boolean }
}

// Node loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* endAtFirstFailure(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.todo === undefined) process.exit(1)
    yield ''
  }
}
