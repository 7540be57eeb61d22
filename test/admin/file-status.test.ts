// The state of a file in words, in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFormats } from '../../lib/admin/texts/formats.ts'
import { type StatusFacts, statusOf, versionsOf } from '../../lib/admin/ui/file-status.ts'
import type { Speech } from '../../lib/admin/texts/use-texts.ts'
import { allTexts } from './all-texts.ts'

const [en, de] = await Promise.all([allTexts('en'), allTexts('de')])

const NONE: StatusFacts = {
  version: 5,
  live_version: null,
  staged_version: null,
  publish_at: null,
  unpublish_at: null,
  stage_at: null,
  schedule_failed_at: null,
  schedule_fault: null,
}

const NOW = new Date(2026, 10, 29)
const SOON = new Date(2026, 11, 1, 9).toISOString()
const LATER = new Date(2027, 0, 2, 9).toISOString()

const english = { t: en, formats: openFormats('en-GB', en.general.justNow) }
const german = { t: de, formats: openFormats('de', de.general.justNow) }

for (const [what, facts, inEnglish, inGerman] of [
  ['a draft', {}, ['Draft'], ['Entwurf']],
  ['the latest version on stage', { staged_version: 5 }, ['Staged'], ['Vorgemerkt']],
  [
    'one newer version than the staged one',
    { staged_version: 4 },
    ['Staged · 1 newer change'],
    ['Vorgemerkt · 1 neuere Änderung'],
  ],
  [
    'the latest version live',
    { live_version: 5, staged_version: 5 },
    ['Published'],
    ['Veröffentlicht'],
  ],
  [
    'two newer versions than the live one',
    { live_version: 3, staged_version: 4 },
    ['Published · 2 newer changes'],
    ['Veröffentlicht · 2 neuere Änderungen'],
  ],
  [
    'a draft that will go live',
    { publish_at: SOON },
    ['Scheduled for 1 Dec, 09:00'],
    ['Geplant für 1. Dez., 09:00'],
  ],
  [
    'a staged version that will go live next year',
    { staged_version: 5, publish_at: LATER },
    ['Scheduled for 2 Jan 2027, 09:00'],
    ['Geplant für 02.01.2027, 09:00'],
  ],
  [
    'a live file that will change and then leave the site',
    { live_version: 4, staged_version: 5, publish_at: SOON, unpublish_at: LATER },
    [
      'Published · 1 newer change',
      'Will be published 1 Dec, 09:00',
      'Will be unpublished 2 Jan 2027, 09:00',
    ],
    [
      'Veröffentlicht · 1 neuere Änderung',
      'Wird veröffentlicht: 1. Dez., 09:00',
      'Veröffentlichung endet: 02.01.2027, 09:00',
    ],
  ],
  [
    'a draft that will go on stage',
    { stage_at: SOON },
    ['Draft', 'Will be staged 1 Dec, 09:00'],
    ['Entwurf', 'Wird vorgemerkt: 1. Dez., 09:00'],
  ],
  [
    'a failed schedule',
    { schedule_failed_at: SOON, schedule_fault: { detail: 'The name is taken.' } },
    ['Draft', 'A scheduled action failed (1 Dec, 09:00)'],
    ['Entwurf', 'Eine geplante Aktion ist fehlgeschlagen (1. Dez., 09:00)'],
  ],
] as const) {
  test(`the state of a file says: ${what}`, () => {
    const file = { ...NONE, ...facts }
    const textsIn = (words: Pick<Speech, 't' | 'formats'>, isDamaged = false): string[] =>
      statusOf(file, words, { now: NOW, isDamaged }).map(({ text }) => text)
    assert.deepEqual(textsIn(english), inEnglish)
    assert.deepEqual(textsIn(german), inGerman)
    assert.deepEqual(textsIn(english, true), ['Damaged', ...inEnglish])
    assert.deepEqual(textsIn(german, true), ['Beschädigt', ...inGerman])
  })
}

test('the tooltips have the numbers of the versions and the reason of a failure', () => {
  const failed = { schedule_failed_at: SOON, schedule_fault: { detail: 'The name is taken.' } }
  const file = { ...NONE, live_version: 3, staged_version: 4, ...failed }
  const titles = statusOf(file, english).map(({ title }) => title)
  const all = 'Live: version 3 · Staged: version 4 · Latest: version 5'
  assert.deepEqual(titles, [all, 'The name is taken.'])
  const numbers = versionsOf({ ...NONE, live_version: 5, staged_version: 5 }, german)
  assert.deepEqual(numbers, [
    { text: 'Live: Version 5', version: 5 },
    { text: 'Neueste: Version 5', version: 5 },
  ])
})
