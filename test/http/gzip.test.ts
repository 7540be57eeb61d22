// Pieces of a text that are compressed separately form one gzip stream of the whole text. Through a server:
// test/api/modules and test/api/request/lists.test.ts.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { gzipPieces, takesGzip } from '../../lib/http/gzip.ts'

const TEXTS: readonly (readonly [what: string, pieces: readonly Buffer[]])[] = [
  ['nothing', []],
  ['an empty piece', [Buffer.alloc(0)]],
  ['a letter', [Buffer.from('a')]],
  ['a few pieces', ['{"a":', '"zoë"', '}'].map((text) => Buffer.from(text))],
  ['more than a megabyte', Array.from({ length: 5 }, (_, at) => Buffer.alloc(400_000, `${at}x`))],
]

describe('compression of', () => {
  for (const [what, pieces] of TEXTS)
    test(`${what} is lossless`, async () => {
      const packed = Buffer.concat(await gzipPieces(pieces))
      assert.ok(gunzipSync(packed).equals(Buffer.concat(pieces)))
      assert.deepEqual([...packed.subarray(0, 10)], [31, 139, 8, 0, 0, 0, 0, 0, 0, 255])
    })

  test('a piece has the same bytes in every selection and is compressed once', async () => {
    const [first, second] = [Buffer.from('x'.repeat(99)), Buffer.from('y'.repeat(99))]
    const [, packedFirst] = await gzipPieces([first, second])
    const [, packedSecond, again] = await gzipPieces([second, first])
    assert.equal(again, packedFirst)
    assert.notDeepEqual(packedSecond, packedFirst)
  })
})

const ENCODINGS: readonly (readonly [header: string | undefined, isTaken: boolean])[] = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP, br', true],
  ['br', false],
  ['*', true],
  ['gzip;q=0', false],
  ['identity, gzip;q=0.5', false],
  ['identity;q=0.5, gzip', true],
]

for (const [header, isTaken] of ENCODINGS)
  test(`Accept-Encoding ${JSON.stringify(header)} ${isTaken ? 'accepts' : 'does not accept'} gzip`, () => {
    const message = { headers: { 'accept-encoding': header } } as unknown as IncomingMessage
    assert.equal(takesGzip(message), isTaken)
  })
