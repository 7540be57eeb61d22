// A buffer pool for bytes on their way to clients. A new buffer for each response would be garbage of the response's size,
// and collecting it would delay all other responses. A buffer that was used recently is also in the processor's cache.

export interface ReusedMemory {
  take(): Buffer
  /** Call only if nobody reads the buffer any more: not after a client disconnect or during a write. */
  give(buffer: Buffer): void
}

export interface MemoryOptions {
  readonly sizeBytes: number
  /** Maximum number of unused buffers that are kept. */
  readonly maxIdle: number
}

export function openReusedMemory({ sizeBytes, maxIdle }: MemoryOptions): ReusedMemory {
  const idle: Buffer[] = []
  return {
    take: () => idle.pop() ?? Buffer.allocUnsafeSlow(sizeBytes),
    give(buffer) {
      if (idle.length < maxIdle) idle.push(buffer)
    },
  }
}
