// The contract of contents on a real store, checked with an independent client.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { newUid } from '../../lib/storage/embedded/data-paths.ts'
import { openPool } from '../../lib/workers/pool.ts'
import { sha256 } from '../helpers/data-directory.ts'
import { readAll } from '../helpers/read-all.ts'
import { contentsContract } from '../storage/contents-contract.ts'
import {
  AT_ONCE,
  CACHE_BYTES,
  contractOpener,
  openNode,
} from '../storage/distributed/open-cluster.ts'
import { openPlain } from './plain-s3.ts'
import { NO_STORE, REAL_STORE, settingsOf, underTest } from './real-store.ts'

const MIB = 1024 * 1024
const PAGE = { fileId: 7, type: 'bin' }

if (REAL_STORE === undefined) test('contents on a real store', { skip: NO_STORE }, () => undefined)
else contentsOn(REAL_STORE)

function contentsOn(store: NonNullable<typeof REAL_STORE>): void {
  const pool = openPool(2)
  after(() => pool.close())
  contentsContract(
    `${store.name}, small ones in the commit`,
    contractOpener(underTest(store), pool),
  )
  contentsContract(`${store.name}, each at once`, contractOpener(underTest(store), pool, AT_ONCE))

  test('another client and another node read what was written', async () => {
    const prefix = `written-${newUid()}/`
    const settings = { ...settingsOf(store), prefix, cacheBytes: CACHE_BYTES }
    const [first, second] = [await openNode({ settings, pool }), await openNode({ settings, pool })]
    const plain = openPlain(store)
    for (const size of [0, 1, 100_000, 600_000, 5 * MIB, 20 * MIB + 7]) {
      const bytes = randomBytes(size)
      const received = await first.contents.receive(Readable.from([bytes]), { maxBytes: 64 * MIB })
      const sealed = await received.seal(PAGE)
      await first.commit(sealed)
      // Rows are not replicated in this test, so the other node can read only what lies in the
      // store.
      if (sealed.inline !== undefined) continue
      const name = { fileId: 7, uid: sealed.uid }
      const key = `${prefix}${sealed.uid.slice(0, 2)}/7.${sealed.uid}`
      assert.equal(sha256(await plain.read(key)), sha256(bytes), `${size} bytes`)
      const opened = await second.contents.open(name)
      assert.ok(opened && (await readAll(opened.chunks())).equals(bytes), `${size} bytes`)
      assert.equal(await second.contents.verify(name, { ...sealed, type: 'bin' }), true)
    }
    await first.close()
    assert.equal((await plain.keysUnder(prefix)).length, 1 + 6)

    for (const key of await plain.keysUnder(prefix)) await plain.remove(key)
    await second.close()
    assert.deepEqual([first.troubles, second.troubles], [[], []])
  })

  test('contents of a missing bucket are not reported as missing', async () => {
    const settings = { ...settingsOf(store), bucket: 'no-such-bucket', cacheBytes: CACHE_BYTES }
    await assert.rejects(openNode({ settings, pool }), /cannot be read: NoSuchBucket/)
  })
}
