// The commands of the toolbar for Markdown and HTML. Brackets (⟦ and ⟧) mark the selection.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Format,
  formatText,
  type MarkupLanguage,
} from '../../lib/admin/pages/editor/text-format.ts'

function run(language: MarkupLanguage, format: Format, shown: string): string {
  const from = shown.indexOf('⟦')
  const to = shown.indexOf('⟧') - 1
  const text = shown.replaceAll(/[⟦⟧]/g, '')
  const words = { column: 'Column' }
  const edit = formatText(format, { marked: { text, from, to }, language, words })
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const [start, end] = edit.select
  return `${next.slice(0, start)}⟦${next.slice(start, end)}⟧${next.slice(end)}`
}

type Case = readonly [Format, string, string]

const MARKDOWN: readonly Case[] = [
  ['bold', 'a ⟦word⟧ here', 'a **⟦word⟧** here'],
  ['bold', 'a **⟦word⟧** here', 'a ⟦word⟧ here'],
  ['bold', 'a ⟦**word**⟧ here', 'a ⟦word⟧ here'],
  ['bold', 'a⟦ word ⟧here', 'a **⟦word⟧** here'],
  ['bold', '⟦⟧', '**⟦⟧**'],
  ['bold', 'a *⟦word⟧*', 'a ***⟦word⟧***'],
  ['italic', 'a **⟦word⟧**', 'a ***⟦word⟧***'],
  ['italic', 'a ***⟦word⟧***', 'a **⟦word⟧**'],
  ['italic', 'a *⟦word⟧*', 'a ⟦word⟧'],
  ['heading2', 'one\ntw⟦⟧o\nthree', 'one\n## two⟦⟧\nthree'],
  ['heading2', '# on⟦⟧e', '## one⟦⟧'],
  ['heading2', '## on⟦⟧e', 'one⟦⟧'],
  ['list', '⟦one\n\ntwo\n⟧', '⟦- one\n\n- two⟧\n'],
  ['numbers', '⟦- one\n  - two⟧', '⟦1. one\n  2. two⟧'],
  ['list', '⟦- one\n- two⟧', '⟦one\ntwo⟧'],
  ['list', '⟦⟧', '- ⟦⟧'],
  ['quote', '⟦one\ntwo⟧', '⟦> one\n> two⟧'],
  ['quote', '⟦> one\n> two⟧', '⟦one\ntwo⟧'],
  ['code', 'a ⟦b⟧', 'a `⟦b⟧`'],
  ['code', 'a `⟦b⟧`', 'a ⟦b⟧'],
  ['code', '⟦a ` b⟧', '`` ⟦a ` b⟧ ``'],
  ['code', '⟦a\n```\nb⟧', '````\n⟦a\n```\nb⟧\n````'],
  ['link', 'see ⟦this⟧', 'see [this](⟦https://⟧)'],
  ['link', '⟦https://example.com/a_(b)⟧', '[⟦⟧](<https://example.com/a_(b)>)'],
  ['table', 'a⟦⟧', 'a\n\n| ⟦Column 1⟧ | Column 2 |\n| --- | --- |\n|  |  |\n|  |  |\n'],
]

const HTML: readonly Case[] = [
  ['bold', 'a ⟦word⟧', 'a <strong>⟦word⟧</strong>'],
  ['bold', 'a <strong>⟦word⟧</strong>', 'a ⟦word⟧'],
  ['italic', '⟦<em>a</em>⟧', '⟦a⟧'],
  ['heading3', 'on⟦⟧e', '<h3>⟦one⟧</h3>'],
  ['list', '⟦one\ntwo⟧', '<ul>\n  <li>one</li>\n  <li>two⟦⟧</li>\n</ul>'],
  ['quote', '⟦one⟧', '<blockquote>⟦one⟧</blockquote>'],
  ['code', '⟦a\nb⟧', '<pre><code>⟦a\nb⟧</code></pre>'],
  ['link', '⟦/a?b="c"&d⟧', '<a href="/a?b=&quot;c&quot;&amp;d">⟦⟧</a>'],
  [
    'table',
    '⟦⟧',
    '<table>\n  <tr><th>⟦Column 1⟧</th><th>Column 2</th></tr>\n  <tr><td></td><td></td></tr>\n  <tr><td></td><td></td></tr>\n</table>\n',
  ],
]

for (const [language, cases] of [
  ['markdown', MARKDOWN],
  ['html', HTML],
] as const) {
  describe(`a text in ${language}`, () => {
    for (const [format, before, after] of cases) {
      test(`gets ${format}: ${JSON.stringify(before)}`, () => {
        assert.equal(run(language, format, before), after)
      })
    }
  })
}
