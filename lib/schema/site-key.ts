// Random bytes that only the site knows: what it gives to clients to hand back is encrypted with them.

import type { RecordType } from './values.ts'

/** Key: [1]. */
export interface SiteKey {
  /** Base64 of 32 bytes. */
  readonly secret: string
}

export const siteKey: RecordType<SiteKey> = { name: 'site_key', indexes: [] }
