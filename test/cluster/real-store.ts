// The real store that npm run test:cluster started, as the environment describes it.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StoreUnderTest } from '../storage/distributed/open-cluster.ts'
import type { PlainStore } from './plain-s3.ts'

export interface RealStore extends PlainStore {
  readonly name: string
  /**
   * The script that kills and starts parts of the store; absent if the parts cannot be controlled.
   */
  readonly script?: string
  /** The addresses of all gateways. */
  readonly gateways: readonly string[]
}

const told = process.env['CMS_TEST_S3']

export const REAL_STORE = told === undefined ? undefined : (JSON.parse(told) as RealStore)
export const NO_STORE =
  REAL_STORE === undefined && 'there is no real store of the S3 interface: npm run test:cluster'

export function settingsOf({ endpoint, bucket, accessKeyId, secretAccessKey }: PlainStore) {
  return { endpoint, bucket, accessKeyId, secretAccessKey, forcePathStyle: true }
}

export function underTest(store: PlainStore): StoreUnderTest {
  return {
    settings: settingsOf(store),
    keysUnder: (prefix) => {
      const script = fileURLToPath(new URL('./list-keys.js', import.meta.url))
      const input = JSON.stringify({ store, prefix })
      return JSON.parse(execFileSync(process.execPath, [script, input]).toString()) as string[]
    },
  }
}
