import assert from 'node:assert/strict'
import { validateHeaderValue } from 'node:http'
import { test } from 'node:test'
import { parse } from 'content-disposition'
import { fc } from '../helpers/properties.ts'
import { contentDisposition } from '../../lib/http/disposition.ts'

const TABLE: readonly (readonly [fileName: string, header: string])[] = [
  ['plan.html', 'attachment; filename=plan.html'],
  ['my plan.html', 'attachment; filename="my plan.html"'],
  ['a"b\\c.txt', 'attachment; filename="a\\"b\\\\c.txt"'],
  ['a;b=c.txt', 'attachment; filename="a;b=c.txt"'],
  ['50%.txt', 'attachment; filename=50%.txt'],
  ['a%41.txt', "attachment; filename=a%41.txt; filename*=UTF-8''a%2541.txt"],
  ['é.txt', 'attachment; filename="?.txt"; filename*=UTF-8\'\'%C3%A9.txt'],
  ['€.txt', 'attachment; filename="?.txt"; filename*=UTF-8\'\'%E2%82%AC.txt'],
  ['😀', 'attachment; filename="??"; filename*=UTF-8\'\'%F0%9F%98%80'],
  ['a\r\nX: y', 'attachment; filename="a??X: y"; filename*=UTF-8\'\'a%0D%0AX%3A%20y'],
  ['a\0b', 'attachment; filename="a?b"; filename*=UTF-8\'\'a%00b'],
  ['\ud800.txt', 'attachment; filename="?.txt"; filename*=UTF-8\'\'%EF%BF%BD.txt'],
  ['', 'attachment; filename=""'],
]

// A second parser of the header, written only from RFC 6266 and RFC 8187.
function decode(header: string): string | undefined {
  const extended = /; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})*)$/.exec(header)
  if (extended !== null) return decodeURIComponent(extended[1] ?? '')

  const plain = /^\w+; filename=(?:"((?:[^"\\]|\\.)*)"|([^" ;]+))$/.exec(header)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]
}

test('a file name becomes a header by RFC 6266 and RFC 8187', () => {
  for (const [fileName, header] of TABLE) {
    assert.equal(contentDisposition('attachment', fileName), header)
  }
  assert.equal(contentDisposition('inline', 'a.png'), 'inline; filename=a.png')
})

test('N6: every name is parsed back unchanged, by the package and by an independent parser', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.string({ unit: 'grapheme', minLength: 200, maxLength: 300 }),
  )

  fc.assert(
    fc.property(name, (fileName) => {
      const header = contentDisposition('attachment', fileName)

      assert.equal(parse(header).type, 'attachment')
      assert.equal(parse(header).parameters['filename'], fileName)
      assert.equal(decode(header), fileName)
    }),
    { numRuns: 1000 },
  )
})

test('H14: no name throws or becomes a header that Node refuses', () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))

  fc.assert(
    fc.property(fc.string({ unit }), (fileName) => {
      const header = contentDisposition('inline', fileName)

      validateHeaderValue('content-disposition', header)
      assert.match(header, /^[\x20-\x7e]*$/)
    }),
    { numRuns: 1000 },
  )
})
