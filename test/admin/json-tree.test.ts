// A JSON text as a tree: its edits change nothing else of the text.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  addChild,
  FIRST_JSON,
  isJsonNumber,
  type JsonNode,
  readTree,
  removeChild,
  renameChild,
  replaceNode,
} from '../../lib/admin/pages/entries/json/json-tree.ts'

function rootOf(text: string): JsonNode {
  const root = readTree(text)
  assert.ok(root !== undefined, text)
  return root
}

const TEXT = '{ "a": 1.250,\n  "b": ["x", {"c\\n": null}],\n  "d": true }'

describe('the tree of a JSON text', () => {
  test('has the kinds, names and places of all values', () => {
    const root = rootOf(TEXT)
    const [a, b, d] = root.children
    assert.deepEqual([a?.name, b?.name, d?.name], ['a', 'b', 'd'])
    assert.equal(TEXT.slice(a?.node.start, a?.node.end), '1.250')
    const inner = b?.node.children[1]?.node
    assert.deepEqual(
      [b?.node.kind, inner?.kind, inner?.children[0]?.name],
      ['array', 'object', 'c\n'],
    )
  })

  test('is missing for a text that would not be stored exactly', () => {
    for (const text of ['', '{', '{"a":1,"a":2}', '12345678901234567890', '[1,]'])
      assert.equal(readTree(text), undefined, text)
  })

  test('keeps the digits and the layout of the rest', () => {
    const root = rootOf(TEXT)
    const [a, b, d] = root.children
    assert.ok(a !== undefined && b !== undefined && d !== undefined)
    assert.equal(replaceNode(TEXT, d.node, '2.10'), TEXT.replace('true', '2.10'))
    assert.equal(renameChild(TEXT, a, 'q"'), TEXT.replace('"a"', String.raw`"q\""`))
    assert.equal(removeChild(TEXT, root, 0), TEXT.replace('"a": 1.250,\n  ', ''))
    assert.equal(removeChild(TEXT, root, 2), TEXT.replace(',\n  "d": true', ''))
    assert.equal(addChild(TEXT, b.node), TEXT.replace('null}]', 'null}, null]'))
    assert.equal(
      addChild('{\n  "name_2": 1\n}', rootOf('{\n  "name_2": 1\n}')),
      '{\n  "name_2": 1,\n  "name_3": null\n}',
    )
    assert.equal(addChild('[]', rootOf('[]')), '[null]')
  })

  test('recognizes the numbers that JSON can represent', () => {
    assert.deepEqual(
      ['0', '-12.50', '1e3', '01', '1.', '+1', '0x1', 'NaN', '', '12345678901234567'].filter(
        isJsonNumber,
      ),
      ['0', '-12.50', '1e3'],
    )
  })

  test('edits any value like the same edit of the object', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(fc.array(value), fc.nat(), fc.boolean(), (list, seed, isWide) => {
        const text = JSON.stringify(list, null, isWide ? 2 : 0)
        const root = readTree(text)
        fc.pre(root !== undefined && list.length > 0)
        const at = seed % list.length
        const own = root.children[at]
        assert.ok(own !== undefined)
        const stored = JSON.parse(text) as unknown[]
        assert.deepEqual(JSON.parse(text.slice(own.node.start, own.node.end)), stored[at])
        assert.deepEqual(JSON.parse(removeChild(text, root, at)), stored.toSpliced(at, 1))
        assert.deepEqual(JSON.parse(addChild(text, root)), [...stored, null])
        const next = replaceNode(text, own.node, FIRST_JSON.object)
        assert.deepEqual(JSON.parse(next), stored.with(at, {}))
      }),
    )
  })
})
