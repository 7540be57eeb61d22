// Scrubs contents that are objects of a store. A damaged object stays in place for the operator, who may find a good
// version of it in a versioned bucket; no node serves it.

import { setTimeout as sleep } from 'node:timers/promises'
import type { AssetFileVersion } from '../schema/asset-file.ts'
import type { FileFault, Scrubbed } from '../workers/scrub.ts'
import type { ScrubPlace } from '../storage/engine.ts'
import type { ContentName } from '../storage/port.ts'
import type { ObjectStore } from './object-store.ts'
import { sumObject } from './object-hash.ts'

export interface ObjectPlaceOptions {
  readonly store: Pick<ObjectStore, 'read' | 'find'>
  readonly keyOf: (name: ContentName) => string
  /** Key of the object that names the site of these contents. */
  readonly mark: string
  readonly bytesPerSecond: number
}

/** Bytes hashed at a time on the main thread. */
const BLOCK_BYTES = 1024 * 1024
/** A call costs a store about as much as reading this many bytes. */
const LEAST_BYTES = 64 * 1024

export function openObjectPlace(options: ObjectPlaceOptions): ScrubPlace {
  const { store, keyOf, mark, bytesPerSecond } = options
  const memory = Buffer.allocUnsafeSlow(BLOCK_BYTES)

  async function faultOf(version: AssetFileVersion, spend: Spend): Promise<FileFault | undefined> {
    const { asset_file_id: fileId, uid, size, sha256 } = version
    const key = keyOf({ fileId, uid })
    const onBytes = ({ length }: Buffer): Promise<void> => spend(length)
    await spend(LEAST_BYTES)
    const found = await sumObject(store, { key, memory, onBytes })
    if (found === undefined) return 'missing'
    return found.sizeBytes === size && found.sha256 === sha256 ? undefined : 'damaged'
  }

  return {
    async compare(versions, signal) {
      const spend = openPace(bytesPerSecond, signal)
      const faults: { at: number; fault: FileFault }[] = []
      const done: Writable<Omit<Scrubbed, 'faults'>> = { done: 0, bytes: 0 }
      for (const [at, version] of versions.entries()) {
        if (signal.aborted) break
        // Bytes that changed on the way are right the second time.
        const fault = (await faultOf(version, spend)) && (await faultOf(version, spend))
        if (fault !== undefined) faults.push({ at, fault })
        done.done += 1
        done.bytes += version.size
      }
      return { ...done, faults }
    },
    async requireThere() {
      if ((await store.find(mark)) === undefined)
        throw new Error('The store no longer holds the contents of this site.')
    },
    setApart: () => undefined,
    apart: 'damaged content found in the store',
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Waits until this many bytes may have been read. Throws when the signal aborts. */
type Spend = (bytes: number) => Promise<void>

function openPace(bytesPerSecond: number, signal: AbortSignal): Spend {
  let due = performance.now()
  return async (bytes) => {
    signal.throwIfAborted()
    due += (bytes / bytesPerSecond) * 1_000
    const waitMs = due - performance.now()
    if (waitMs >= 1) await sleep(waitMs, undefined, { signal, ref: false })
  }
}
