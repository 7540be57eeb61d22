// Frees the memory of received chunks early. Node copies each chunk of a body into memory outside of V8's heap. V8 frees
// this memory when it collects the young generation. V8 collects the whole heap as soon as such memory has grown
// by 0.7 times the heap since the last full collection (--heap-growing-percent in cli/v8-flags.ts).
//
// An upload of 100 KB allocates few objects: the memory of 90 uploads reached this size before their objects filled the
// young generation of 8 MiB. Each full collection took 60 ms of processor time, most of it on other threads: a third of the
// time of all uploads. A collection of the young generation takes 1 to 2 ms.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'minor' }) => void

const BYTES_PER_COLLECTION = 4 * 1024 * 1024

let collect: Collect | undefined
let bytesSince = 0

/** Call with the size of each chunk of an upload. */
export function noteChunk(sizeBytes: number): void {
  bytesSince += sizeBytes
  if (bytesSince < BYTES_PER_COLLECTION) return
  bytesSince = 0
  collect ??= findCollect()
  collect({ type: 'minor' })
}

/** V8 offers the function in a context that is created while the flag is set. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}
