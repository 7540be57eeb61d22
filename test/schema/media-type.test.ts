// The files that a browser may show inline, for every extension that the package mime knows: none that a
// browser would execute.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileTypeFromBuffer } from 'file-type'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { mayShowInline, mediaTypeOf, typeOfName, withCharset } from '../../lib/schema/media-type.ts'

const ENDINGS = [standardTypes, otherTypes].flatMap((types) =>
  Object.values(types).flatMap((endings) =>
    endings.map((ending: string) => ending.replace('*', '')),
  ),
)

/**
 * Types of programs and of documents that can contain programs (HTML Standard: XML, HTML and JavaScript MIME
 * types).
 */
const ACTIVE = /html|xml|svg|script|css|xsl|mathml|xul|flash|hta|wasm|multipart|rfc822/

/** Leading bytes that identify a type. The tests append a page to them. */
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

test('executable content is never shown inline, whatever its first bytes are', async () => {
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

test('a name without a dot has the type of the same extension and is accepted', () => {
  const file = { type: 'unknown', name: 'html', isText: true, sniffedType: undefined }
  assert.equal(mediaTypeOf(file), 'text/html')
  assert.equal(mayShowInline(file), false)
})

/**
 * Declared type, name, whether the content is text, type by content; media type, and whether a browser may
 * open it inline.
 */
const FILES: readonly (readonly [string, string, boolean, string | undefined, string, boolean])[] =
  [
    ['HTML', 'a.png', true, undefined, 'text/html', false],
    ['stml', 'a', true, undefined, 'application/stml+xml', false],
    ['unknown', 'a.png', false, 'image/png', 'image/png', true],
    ['unknown', 'a.png', false, 'image/gif', 'image/png', true],
    ['unknown', 'a.unknown', false, 'image/png', 'image/png', true],
    ['unknown', 'a.unknown', true, undefined, 'text/plain', true],
    ['unknown', 'a.unknown', false, undefined, 'application/octet-stream', false],
    ['png', 'a.png', false, undefined, 'image/png', false],
    ['png', 'a.png', false, 'text/html', 'image/png', false],
    ['html', 'a.html', false, 'image/png', 'text/html', false],
    ['txt', 'a.txt', true, undefined, 'text/plain', true],
    ['txt', 'a.txt', false, undefined, 'text/plain', false],
    ['pdf', 'a', false, 'application/pdf', 'application/pdf', true],
    ['mp4', 'a', false, 'video/mp4', 'video/mp4', true],
    ['mp3', 'a', false, 'audio/mpeg', 'audio/mpeg', true],
    ['svg', 'a', false, 'image/svg+xml', 'image/svg+xml', false],
  ]

test('the declared type decides, then the name, then the bytes, then whether the content is text', () => {
  for (const [type, name, isText, sniffedType, mediaType, isInline] of FILES) {
    const file = { type, name, isText, sniffedType }
    const found = [mediaTypeOf(file), mayShowInline(file)]
    assert.deepEqual(found, [mediaType, isInline], JSON.stringify(file))
  }
})

test('text is sent as UTF-8 unless its type declares another charset', () => {
  assert.equal(withCharset('text/html', true), 'text/html; charset=utf-8')
  assert.equal(withCharset('text/html; charset=latin1', true), 'text/html; charset=latin1')
  assert.equal(withCharset('image/png', false), 'image/png')
})

test('a file without a type has the extension of its name or the type of its bytes', () => {
  for (const [name, sniffedType, type] of [
    ['a.TXT', undefined, 'txt'],
    ['a.b.tar', 'image/png', 'tar'],
    ['a', 'image/png', 'png'],
    ['a', 'x/unknown', 'bin'],
    ['a.', undefined, 'bin'],
    ['a.b c', undefined, 'bin'],
    [`a.${'x'.repeat(16)}`, undefined, 'x'.repeat(16)],
    [`a.${'x'.repeat(17)}`, undefined, 'bin'],
  ] as const)
    assert.equal(typeOfName(name, sniffedType), type, name)
})
