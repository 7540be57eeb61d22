// Encodes a commit for the log, one change after the other:
//
//   4 bytes length of the key, the key, 4 bytes length of the value + 1, the value      put
//   4 bytes length of the key, the key, 4 bytes 0                                       remove

/** The final effect of a commit on one key; undefined removes the key. */
export interface Write {
  readonly key: Buffer
  readonly value: Buffer | undefined
}

const LENGTH_BYTES = 4

export function encodeWrites(writes: readonly Write[]): Buffer {
  return Buffer.concat(
    writes.flatMap(({ key, value }) =>
      value === undefined
        ? [lengthOf(key.length), key, lengthOf(0)]
        : [lengthOf(key.length), key, lengthOf(value.length + 1), value],
    ),
  )
}

/** Where the body of these writes has its puts. Offsets begin at 1, as in SQL. */
export interface PutOffsets {
  readonly keys: readonly number[]
  readonly keyLengths: readonly number[]
  readonly values: readonly number[]
  readonly valueLengths: readonly number[]
}

export function putOffsets(writes: readonly Write[]): PutOffsets {
  const keys: number[] = []
  const keyLengths: number[] = []
  const values: number[] = []
  const valueLengths: number[] = []
  let at = 1
  for (const { key, value } of writes) {
    const keyAt = at + LENGTH_BYTES
    const valueAt = keyAt + key.length + LENGTH_BYTES
    at = valueAt + (value?.length ?? 0)
    if (value === undefined) continue
    keys.push(keyAt)
    keyLengths.push(key.length)
    values.push(valueAt)
    valueLengths.push(value.length)
  }
  return { keys, keyLengths, values, valueLengths }
}

export function decodeWrites(body: Buffer): readonly Write[] {
  const writes: Write[] = []
  let at = 0
  const take = (length: number): Buffer => {
    const end = at + length
    if (end > body.length) throw new RangeError('A commit in the log is cut short.')
    const bytes = body.subarray(at, end)
    at = end
    return bytes
  }
  while (at < body.length) {
    const key = take(take(LENGTH_BYTES).readUInt32BE(0))
    const length = take(LENGTH_BYTES).readUInt32BE(0)
    writes.push({ key, value: length === 0 ? undefined : take(length - 1) })
  }
  return writes
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES)
  bytes.writeUInt32BE(length)
  return bytes
}
