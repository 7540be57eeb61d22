// The key of the site, made at its first start, or at the first one by a version that knows it.

import { randomBytes } from 'node:crypto'
import { valueOf } from '../schema/record.ts'
import { type SiteKey, siteKey } from '../schema/site-key.ts'
import type { Records } from '../storage/port.ts'

const KEY_BYTES = 32

export async function requireSiteKey(records: Records): Promise<Uint8Array> {
  const stored =
    records.get(siteKey, 1) ??
    (await records.commit(
      (unit) =>
        unit.get(siteKey, 1) ??
        unit.put(siteKey, [1], { secret: randomBytes(KEY_BYTES).toString('base64') }),
    ))
  return Buffer.from(valueOf<SiteKey>(stored).secret, 'base64')
}
