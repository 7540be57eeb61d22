/** Copies the bytes of chunks whose memory is reused. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies)
}
