// The errors that the splitter reports for a form that ends too early. All other behavior of the splitter:
// form-parser.test.ts and multipart.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSplitter } from '../../lib/http/form-splitter.ts'

const ENDS: readonly (readonly [what: string, body: string, fault: RegExp])[] = [
  ['a boundary in the last line of the preamble', 'x--b', /^Before its first part/],
  ['a boundary after a lone LF', 'x\n--b', /^Before its first part/],
  ['only a preamble', 'x', /cut or malformed/],
  ['a boundary that continues', '--bx', /^Before its first part/],
  ['no closing boundary', '--b\r\nA: b\r\n\r\nx\r\n--b\r\n', /cut or malformed/],
]

for (const [what, body, fault] of ENDS)
  test(`a form that ends with ${what} is refused with the reason`, () => {
    const splitter = openSplitter('b', { startPart: () => undefined, takeBytes: () => undefined })
    const read = (): void => {
      for (const byte of Buffer.from(body)) splitter.push(Buffer.of(byte))
      splitter.end()
    }
    assert.throws(read, (error: Error) => fault.test(error.message))
  })

test('a form is read in the same way whether its long chunks join kept bytes or not', () => {
  const content = Buffer.alloc(20_000, 'x\r\n--')
  const body = Buffer.concat([
    Buffer.alloc(9_000, 'preamble '),
    Buffer.from(`\r\n--b\r\nA: ${'a'.repeat(9_000)}\r\n\r\n`),
    content,
    Buffer.from('\r\n--b--\r\n'),
  ])
  for (const cut of [0, 1, 4_095, 4_096, 4_097, 9_003, 12_000, 20_000, body.length - 5]) {
    const pieces: Buffer[] = []
    const splitter = openSplitter('b', {
      startPart: (head) => assert.equal(head.length, 9_003),
      takeBytes: (bytes) => void pieces.push(bytes),
    })
    splitter.push(body.subarray(0, cut))
    splitter.push(body.subarray(cut))
    splitter.end()
    assert.ok(Buffer.concat(pieces).equals(content), `cut at ${cut}`)
  }
})
