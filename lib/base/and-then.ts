// Steps that rarely have to wait. `await` would make every step wait, even for a value that is already there. A promise that
// is not needed costs a small read more than its record.

/** Calls `step` with the value: at once, or when the promise resolves. An error of `step` is thrown or rejects. */
export function andThen<T, U>(
  value: T | Promise<T>,
  step: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(step) : step(value)
}

/** Calls `work`, and `fail` for its error, thrown or rejected. */
export function orElse<T, U>(
  work: () => T | Promise<T>,
  fail: (error: unknown) => U | Promise<U>,
): T | U | Promise<T | U> {
  try {
    const made = work()
    return made instanceof Promise ? made.catch(fail) : made
  } catch (error) {
    return fail(error)
  }
}
