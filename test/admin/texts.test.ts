// The catalog contains every text of the administration area in every language.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fill, placesOf } from '../../lib/admin/texts/fill.ts'
import { openFormats } from '../../lib/admin/texts/formats.ts'
import { allTexts } from './all-texts.ts'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'

const [en, de] = await Promise.all([allTexts('en'), allTexts('de')])

const ADMIN = join(dirname(dirname(GENERATORS_DIRECTORY)), 'lib/admin')

const LANGUAGES: Readonly<Record<string, object>> = { de }

/** Plural forms differ between languages; every language has `other`. */
const OWN_FORMS: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many'])

/** Every text with its path, for example `signIn.title`. */
function textsOf(value: object, path = ''): readonly (readonly [string, string])[] {
  const entries = Object.entries(value).filter(([key]) => !OWN_FORMS.has(key))
  return entries.flatMap(([key, item]) =>
    typeof item === 'string'
      ? [[`${path}${key}`, item] as const]
      : textsOf(item as object, `${path}${key}.`),
  )
}

const ENGLISH = new Map(textsOf(en))

for (const [language, texts] of Object.entries(LANGUAGES)) {
  describe(language, () => {
    const own = new Map(textsOf(texts))

    test('has the same texts as English', () => {
      assert.deepEqual([...own.keys()].toSorted(), [...ENGLISH.keys()].toSorted())
    })

    test('has the placeholders of each text', () => {
      const wrong = [...own].filter(
        ([key, text]) => `${placesOf(text)}` !== `${placesOf(ENGLISH.get(key) ?? '')}`,
      )
      assert.deepEqual(wrong, [])
    })

    test('has no double spaces and no spaces at the ends', () => {
      const wrong = [...own].filter(([, text]) => text !== text.trim() || / {2}/.test(text))
      assert.deepEqual(wrong, [])
    })
  })
}

test('every text is used', () => {
  const code = sources()
    .map(({ text }) => withoutComments(text))
    .join('\n')
  const leaves = [...ENGLISH.keys()].map((key) => key.split('.'))
  const unused = leaves.filter((parts) => !isUsed(parts, code)).map((parts) => parts.join('.'))
  assert.deepEqual(unused, [])
})

/**
 * A text is used if the code names its path, or names both its part and its key, because some texts
 * are chosen at run time.
 */
function isUsed([first = '', second = '']: readonly string[], code: string): boolean {
  const isPartTaken = new RegExp(`\\bt\\.${first}\\b(?!\\.)`).test(code)
  const isNamed = code.includes(`t.${first}.${second}`)
  const isThere = new RegExp(`\\b${second}\\b`).test(code)
  return isNamed || (isPartTaken && isThere) || CHOSEN.has(first)
}

/** Problem codes or states select the texts of these parts. */
const CHOSEN: ReadonlySet<string> = new Set(['problems', 'refusals', 'faults', 'state'])

// Checks the text between tags and in attributes that screen readers read.
test('components contain no literal text', () => {
  const found = sources()
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) => literalsIn(text).map((literal) => `${path}: ${literal}`))
  assert.deepEqual(found, [])
})

function literalsIn(text: string): readonly string[] {
  const code = withoutComments(text)
  const between = [...code.matchAll(/(?<=[\w"'}/]\s*>)\s*([^<>{}()=;]*\p{L}{2,}[^<>{}()=;]*)<\//gu)]
  const named = [...code.matchAll(/\b(?:label|title|alt|placeholder|hint|aria-label)="([^"]*)"/g)]
  // A decorative image has an empty `alt`.
  const literals = [...between, ...named].map(([, literal = '']) => literal.trim())
  return literals.filter((literal) => literal !== '')
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').replaceAll(/\{\/\*.*?\*\/\}/gs, '')
}

function sources(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(ADMIN, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('texts/') && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(join(ADMIN, path), 'utf8') }))
}

const formatsOf = () =>
  [openFormats('en', en.general.justNow), openFormats('de', de.general.justNow)] as const

describe('a text', () => {
  test('is filled with the values of its placeholders', () => {
    assert.equal(fill(en.general.selectRow, { name: '{other}' }), 'Select {other}')
  })

  test('uses the plural forms of its language', () => {
    const [english, german] = formatsOf()
    assert.equal(english.count(en.problems.seconds, 1), '1 second')
    assert.equal(english.count(en.problems.seconds, 1_200), '1,200 seconds')
    assert.equal(german.count(de.problems.seconds, 1_200), '1.200 Sekunden')
  })
})

describe('formats', () => {
  const [english, german] = formatsOf()

  test('show sizes in powers of a thousand', () => {
    const told = [0, 1, 999, 1_000, 1_536_000, 2 * 1_000 ** 4].map(english.bytes)
    assert.deepEqual(told, ['0 bytes', '1 byte', '999 bytes', '1 kB', '1.5 MB', '2 TB'])
    assert.equal(german.bytes(1_536_000), '1,5 MB')
  })

  test('show the time since a moment', () => {
    const now = new Date('2026-06-01T12:00:00Z')
    const before = (seconds: number): string =>
      english.fromNow(new Date(now.getTime() - seconds * 1_000), now)
    assert.deepEqual([59, 1, -5].map(before), ['just now', 'just now', 'just now'])
    assert.deepEqual([-30, 90, 7_200, 86_400, 3 * 604_800].map(before), [
      'in 1 minute',
      '1 minute ago',
      '2 hours ago',
      'yesterday',
      '3 weeks ago',
    ])
    // Longer periods use the units that forms offer.
    assert.deepEqual(
      [-365, -90, -30, -6.9, 400, 350].map((days) => before(days * 86_400)),
      ['in 1 year', 'in 3 months', 'in 4 weeks', 'in 1 week', '1 year ago', '11 months ago'],
    )
    assert.deepEqual([-59.7, -3_590, -86_390].map(before), ['in 1 minute', 'in 1 hour', 'tomorrow'])
    assert.equal(german.fromNow(now, now), 'gerade eben')
    assert.equal(german.fromNow(new Date('2026-06-01T14:00:00Z'), now), 'in 2 Stunden')
  })

  test('show a share as a percentage', () => {
    assert.equal(english.percent(0.5), '50%')
  })
})
