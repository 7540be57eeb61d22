// A bucket with the published files of a site. Each object carries a mark, so that objects of other programs are never
// replaced or removed.

import { openObjectStore } from './object-store.ts'
import { findObject } from './object-reads.ts'
import { openStore, type StoreOptions } from './store-client.ts'

/** Metadata of every published object. */
const MARK = 'published-by'
const OURS = 'cms-server'

export interface PublishedObject {
  /** Empty if another program wrote the object. */
  readonly sha256: string
  readonly contentType: string
  readonly cacheControl: string
  readonly isOurs: boolean
}

export interface PublishedFile extends Omit<PublishedObject, 'isOurs'> {
  /** Path on this machine. */
  readonly path: string
  readonly sizeBytes: number
}

/** Keys are below the prefix of the settings. All methods throw the errors of toStoreFault. */
export interface SiteBucket {
  keys(): Promise<readonly string[]>
  find(key: string): Promise<PublishedObject | undefined>
  put(key: string, file: PublishedFile): Promise<void>
  remove(keys: readonly string[]): Promise<void>
  close(): void
}

export async function openSiteBucket(options: StoreOptions): Promise<SiteBucket> {
  const { prefix = '' } = options.settings
  const [store, objects] = [await openStore(options), await openObjectStore(options)]
  return {
    async keys() {
      const keys: string[] = []
      for await (const page of objects.list(prefix))
        for (const { key } of page) keys.push(key.slice(prefix.length))
      return keys
    },
    async find(key) {
      const found = await findObject(store, prefix + key)
      if (found === undefined) return undefined
      const {
        Metadata = {},
        ContentType: contentType = '',
        CacheControl: cacheControl = '',
      } = found
      const isOurs = Metadata[MARK] === OURS
      return { sha256: Metadata['sha256'] ?? '', contentType, cacheControl, isOurs }
    },
    put: (key, { path, sizeBytes, sha256, contentType, cacheControl }) =>
      objects.putFile(prefix + key, {
        path,
        sizeBytes,
        sha256,
        about: {
          ContentType: contentType,
          CacheControl: cacheControl,
          Metadata: { [MARK]: OURS },
        },
      }),
    remove: (keys) => objects.remove(keys.map((key) => prefix + key)),
    close() {
      store.client.destroy()
      objects.close()
    },
  }
}
