/** Creates a value for the `Idempotency-Key` header. Browsers have no randomUUID() without TLS. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
