/**
 * The object with some members replaced or added. The result inherits all other members, so it must not be spread, and
 * `members` must be a new object. A copy of an object with forty members takes 2 to 8 µs on Node 20, which every request
 * would pay; this takes 0.1 µs.
 */
export function withMembers<T extends object, M extends object>(
  object: T,
  members: M,
): Omit<T, keyof M> & M {
  return Object.setPrototypeOf(members, object) as Omit<T, keyof M> & M
}
