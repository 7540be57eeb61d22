// The parts of HTML files: where shortcodes count, what is in the head and the body, and what a fragment leaves open.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HTML, STML } from '../../lib/schema/media-type.ts'
import { hasShortcodes } from '../../lib/schema/page-composition.ts'
import { readPage } from '../../lib/schema/page-source.ts'
import type { PageTemplate } from '../../lib/schema/stml-output.ts'

/** The text with {kind} for each slot. */
function shown({ bytes, slots }: PageTemplate): string {
  const text = Buffer.from(bytes)
  const parts = slots.map(
    (slot, index) => `${text.subarray(slots[index - 1]?.at ?? 0, slot.at)}{${slot.kind}}`,
  )
  return [...parts, text.subarray(slots.at(-1)?.at ?? 0)].join('')
}

const html = (text: string) => readPage(HTML, text)

describe('an HTML file', () => {
  test('has shortcodes in text only, and the title also in values', () => {
    for (const [source, expected] of [
      ['[include id=1] [include id="2"] [menu group=3]', '{include} {include} {menu}'],
      ['<p>[page_content]</p>[page_title]', '<p>{content}</p>{title}'],
      ['<a title="[page_title]" href=\'[page_title]\'>', '<a title="{title}" href=\'{title}\'>'],
      ['<a b=[page_title] c="[include id=1]">', undefined],
      ['<a b = "x>[include id=1]">', undefined],
      ['<!-- [include id=1] --><!x [menu group=1]><?php [menu group=1] >', undefined],
      ['<!-->[include id=1]', '<!-->{include}'],
      [
        '<script>"[include id=1]"</SCRIPT >[menu group=1]',
        '<script>"[include id=1]"</SCRIPT >{menu}',
      ],
      ['<style>[page_title]</style><textarea>[include id=1]</textarea>', undefined],
      ['<scripts>[include id=1]', '<scripts>{include}'],
      ['a < b [include id=1] <3', 'a < b {include} <3'],
      ['<p a=">" [include id=1]>', undefined],
      ['[include id=1 x=2] [include id=0] [include] [menu] [menu of="x"]', undefined],
      ['[include id=1', undefined],
      ['[get_asset_file_url id=1] {{x}} <?php a ?>', undefined],
    ] as const) {
      const source_ = html(source)
      assert.equal(shown(source_.whole), expected ?? source)
      assert.equal(hasShortcodes(source_), expected !== undefined, source)
      assert.equal(source_.isDocument, false)
    }
  })

  test('is a document with a doctype, html, head or body, and only its body counts inside a page', () => {
    const head = '<meta charset="utf-8"><link rel="x" href="a">'
    for (const [source, inside] of [
      [
        `<!doctype html><html><head>${head}<title>T</title></head><body class="b"><p>x</body></html>`,
        '<p>x',
      ],
      [`<!doctype html>\n${head}\n<title>T</title>\n<p>x`, '\n<p>x'],
      [`<head>${head}<title>T</title><body>x</body>y`, 'xy'],
      [`<html>${head}<title>T</title>text`, 'text'],
      [`<html>${head}<title>T</title></html>`, ''],
    ] as const) {
      const source_ = html(source)
      assert.ok(source_.isDocument, source)
      assert.equal(source_.title, 'T')
      assert.equal(shown(source_.inside), inside)
      assert.deepEqual(source_.head, ['<meta charset="utf-8">', '<link rel="x" href="a">'])
      assert.match(shown(source_.whole), /<title>\{title\}<\/title>[^<]*\{head\}|\{head\}<\/h/)
      assert.ok(!hasShortcodes(source_))
    }
    assert.equal(shown(html('<title>T</title><p>x').inside), '<title>T</title><p>x')
  })

  test('keeps scripts, styles and shortcodes of a head, and elements of noscript together', () => {
    const noscript = '<noscript><img src="x"></noscript>'
    const { head, whole, title } = html(
      `<head><script>"</head>"</script>[include id=3]${noscript}<meta content="[page_title]"><title>A [page_title]</title></head><body>`,
    )
    const [script, include, element, ...meta] = head
    assert.equal(script, '<script>"</head>"</script>')
    assert.deepEqual([include, element], [{ kind: 'include', fileId: 3 }, noscript])
    assert.deepEqual(meta, ['<meta content="', { kind: 'title' }, '">'])
    assert.equal(title, 'A [page_title]')
    assert.match(shown(whole), /<title>A \{title\}<\/title>\{head\}<\/head>/)
  })

  test('closes what a fragment leaves open, except elements, and ends before an unclosed tag', () => {
    for (const [source, inside] of [
      ['<main><p>', '<main><p>'],
      ['a<!-- b', 'a<!-- b-->'],
      ['<script>let a', '<script>let a</script>'],
      ['<script>let a</script', '<script>let a</script</script>'],
      ['<textarea>', '<textarea></textarea>'],
      ['a<a href="b', 'a'],
      ['a<!doctype', 'a'],
      ['a</p', 'a'],
    ]) {
      assert.equal(shown(html(source ?? '').inside), inside)
      assert.equal(shown(html(source ?? '').whole), source)
    }
  })

  test('is read in linear time: 500 KB of any piece', { timeout: 60_000 }, () => {
    const pieces = [
      '[include id=1]',
      '[include ',
      '<script>',
      '</script ',
      '<!--',
      '<a b="',
      '<noscript>',
      '<p',
      '</',
      '<a =',
    ]
    for (const piece of pieces)
      for (const before of ['', '<script>', '<p a="', '<head>', '<noscript>'])
        for (const after of ['', '">--></script></noscript>'])
          assert.ok(html(before + piece.repeat(500_000 / piece.length) + after))
  })
})

test('an STML file loses the id of its root inside a page, and has shortcodes in text', () => {
  const { whole, isStml } = readPage(
    STML,
    '<div class="a" id="dd.0"><p title="[page_title]" id="x">[include id=1] [include id=1 x=2]</p>[page_content]</div>',
  )
  assert.ok(isStml)
  assert.equal(
    shown(whole),
    '<div class="a"{root}><p title="{title}" id="x">{include} <!-- shortcode include --></p>{content}</div>',
  )
})
