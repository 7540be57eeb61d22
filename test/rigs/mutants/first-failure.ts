// A reporter that ends the run at the first test that fails: one is enough to kill a mutant.

interface TestEvent {
  readonly type: string
  readonly data: { readonly todo?: string | boolean }
}

// Node finds a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* endAtFirstFailure(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.todo === undefined) process.exit(1)
    yield ''
  }
}
