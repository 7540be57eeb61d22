// Memory for bytes on their way to clients. Fresh memory for each answer would be as much garbage as it has bytes, and
// collecting it would hold up every other answer; what was used a moment ago is in the caches of the processor, too.

export interface ReusedMemory {
  take(): Buffer
  /** Only what nobody reads any more: no client that went away, and no write that is under way. */
  give(buffer: Buffer): void
}

export interface MemoryOptions {
  readonly sizeBytes: number
  /** So many are kept while nobody needs them. */
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
