// Password hashing in the worker pool, because it is slow on purpose.

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time if there is no hash. */
  verify(input: { readonly hashed: string | null; readonly password: string }): Promise<boolean>
}
