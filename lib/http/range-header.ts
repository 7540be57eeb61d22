// The header Range (RFC 9110, section 14): one range of bytes, or the whole file.
//
// The package range-parser does not fit: it returns 416 for a suffix longer than the file (bytes=-999 of 10) and for a
// reversed range (bytes=5-2), although the RFC requires the whole file.

export interface ByteRange {
  /** Both ends are inclusive and inside the file. */
  readonly start: number
  readonly end: number
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/** Undefined means the whole file: there is no range, or it is ignored (several ranges, malformed, another unit). */
export function readRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | undefined | 'unsatisfiable' {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []

  if (first === '') return last === '' ? undefined : suffix(Number(last), sizeBytes)

  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (end < start) return undefined
  // An empty file has no first byte, but clients that always send "bytes=0-" still expect the file.
  if (start === 0 && sizeBytes === 0) return undefined
  if (start >= sizeBytes) return 'unsatisfiable'

  return { start, end: Math.min(end, sizeBytes - 1) }
}

function suffix(lengthBytes: number, sizeBytes: number): ByteRange | undefined | 'unsatisfiable' {
  if (lengthBytes === 0) return 'unsatisfiable'
  // A suffix of an empty file is satisfiable, but Content-Range cannot express it, so the whole file is sent.
  if (sizeBytes === 0) return undefined

  return { start: Math.max(0, sizeBytes - lengthBytes), end: sizeBytes - 1 }
}
