// Which files a browser may show in place, for every ending that mime knows: nothing that it would run.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileTypeFromBuffer } from 'file-type'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { mayShowInline, mediaTypeOf } from '../../lib/schema/media-type.ts'

const ENDINGS = [standardTypes, otherTypes].flatMap((types) =>
  Object.values(types).flatMap((endings) =>
    endings.map((ending: string) => ending.replace('*', '')),
  ),
)

/** Documents with programs, and programs (HTML, Standard: MIME types that are XML, HTML or JavaScript). */
const ACTIVE = /html|xml|svg|script|css|xsl|mathml|xul|flash|hta|wasm|multipart|rfc822/

/** Beginnings that tell a type, with a page behind them. */
const BEGINNINGS = [
  'GIF89a',
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  '%PDF-1.4',
  'ID3\x03',
  'RIFF\0\0\0\0WEBP',
  '<?xml version="1.0"?>',
  'PK\x03\x04',
  '',
]

test('nothing that a browser would run is shown in place, whatever it begins with', async () => {
  let [shown, refused] = [0, 0]
  for (const beginning of BEGINNINGS) {
    const bytes = Buffer.from(`${beginning}<html><script>alert(1)</script>`, 'latin1')
    const sniffedType = (await fileTypeFromBuffer(bytes))?.mime
    for (const ending of [...ENDINGS, 'unknown', 'HTML', 'Svg']) {
      for (const isText of [true, false]) {
        const file = { type: ending, name: `a.${ending}`, isText, sniffedType }
        const sentType = mediaTypeOf(file)
        const isActive = ACTIVE.test(sentType) || ACTIVE.test(sniffedType ?? '')
        if (isActive) assert.equal(mayShowInline(file), false, `${sentType}, ${sniffedType}`)
        if (mayShowInline(file)) shown += 1
        else refused += 1
      }
    }
  }
  assert.ok(shown > 100 && refused > 1_000, `${shown} shown, ${refused} refused`)
})

test('a name without a dot has the type that it would have as an ending, and is saved all the same', () => {
  const file = { type: 'unknown', name: 'html', isText: true, sniffedType: undefined }
  assert.equal(mediaTypeOf(file), 'text/html')
  assert.equal(mayShowInline(file), false)
})
