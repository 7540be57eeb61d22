// --picture-presets: names and parameters of pictures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PICTURES } from '../../lib/config/picture-settings.ts'

const { read } = PICTURES.picturePresets
const parse = (text: string): unknown => {
  assert.ok(typeof read === 'function')
  return [...read(text)]
}

test('presets are separated by semicolons, and a focus may contain a comma', () => {
  assert.deepEqual(
    parse('thumb=width:320,height:200,focus:0.5,0.25; hero=width:1600,format:avif;'),
    [
      ['thumb', { width: 320, height: 200, focus: '0.5,0.25' }],
      ['hero', { width: 1600, format: 'avif' }],
    ],
  )
  assert.deepEqual(parse(''), [])
})

test('a preset that is not valid is refused with the reason', () => {
  for (const [text, reason] of [
    ['thumb', /Give each preset once/],
    ['thumb=', /Give each preset once/],
    ['Thumb=width:5', /name in lower case/],
    ['thumb=size:5', /Give each preset once/],
    ['thumb=width:5,width:6', /Give each preset once/],
    ['a=width:5;a=width:6', /Give each preset once/],
    ['thumb=width:9999', /The preset thumb is not valid: width must be .* 3,000/],
    ['thumb=width:5,fit:cover', /fit works only together with width and height/],
  ] as const)
    assert.throws(() => parse(text), reason, text)
})
