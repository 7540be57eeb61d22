// What passwords leave to the pool of workers: it takes long, on purpose.

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long where there is none. */
  verify(input: { readonly hashed: string | null; readonly password: string }): Promise<boolean>
}
