// STML as HTML: the tree stays, and code is neither run nor shown.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkStml } from '../../lib/schema/stml.ts'
import { renderStml } from '../../lib/schema/stml-template.ts'

const page = (inside: string): string => `<div id="dd.0">${inside}</div>`

/** The body with /file/N for each link. */
function rendered(source: string): string {
  const { bytes, slots } = renderStml(source)
  const text = Buffer.from(bytes)
  const parts = slots.map((slot, index) => {
    const before = text.subarray(slots[index - 1]?.at ?? 0, slot.at)
    if (slot.kind === 'link') return `${before}/file/${slot.fileId}`
    return slot.kind === 'root' ? `${before}${slot.text}` : `${before}{${slot.kind}}`
  })
  return [...parts, text.subarray(slots.at(-1)?.at ?? 0)].join('')
}

function renders(cases: readonly (readonly [string, string])[]): void {
  for (const [source, expected] of cases) {
    assert.equal(checkStml(page(source)), undefined, source)
    assert.equal(rendered(page(source)), page(expected))
  }
}

describe('rendered STML', () => {
  test('has a comment with the name for code in text', () => {
    renders([
      ['[menu a="1"]', '<!-- shortcode menu -->'],
      ['[row_2]x[/row_2]', '<!-- shortcode row_2 -->x<!-- end of shortcode row_2 -->'],
      ['[box]<b>x</b>[/box]', '<!-- shortcode box --><b>x</b><!-- end of shortcode box -->'],
      ['[a b="[c d=1]"]', '<!-- shortcode a -->'],
      ['[a b="<p>"]', '<!-- shortcode a -->'],
      [
        '{{title}} {{{ body }}} {{#each}}',
        '<!-- field title --> <!-- field body --> <!-- field each -->',
      ],
      ['<% secret %>', '<!-- template -->'],
      ['<?php echo "</p>", $secret ?><?= $secret ?>', '<!-- php --><!-- php -->'],
    ])
  })

  test('keeps brackets and braces that are not code', () => {
    const text = 'as [1] says [sic], [see page 5] {a} { {b}} 5 <% 6 [it is not'
    renders([[text, text]])
    renders([
      ['[note <?php secret ?> {{x}}]', '[note <!-- php --> <!-- field x -->]'],
      ['<p title="a[note <?php secret ?>{{x}}<% y %>z]">x</p>', '<p title="a[note z]">x</p>'],
    ])
  })

  test('has no code in tags, comments and raw text', () => {
    renders([
      ['<a title="a [b_c] {{d}}<?php e ?>f<% g %>">x</a>', '<a title="a  f">x</a>'],
      ['<option [if a="<"] selected [/if]>x</option>', '<option  selected >x</option>'],
      [`<p style='background:url([pick of='7' ])'>x</p>`, `<p style='background:url()'>x</p>`],
      ['<p title="[a b="" class="c"]">x</p>', '<p title="">x</p>'],
      ['<a href=[b_c] class=d>x</a>', '<a href="" class=d>x</a>'],
      ['<a href=/[b_c]y>x</a>', '<a href=/y>x</a>'],
      ['<!-- a [b_c] <?php --> secret ?> d -->', '<!-- a [b_c]  d -->'],
      ['<script>a[b_c] = "<?xml ?>"<?php d ?></script>', '<script>a[b_c] = "<?xml ?>"</script>'],
      [
        '<style>[a_b] {{c}}</style><textarea>{{d}}</textarea>',
        '<style>[a_b] {{c}}</style><textarea>{{d}}</textarea>',
      ],
    ])
    for (const [start, end] of [
      ['<%', '%>'],
      ['{{', '}}'],
      ['[a_b c="', '"]'],
      ['</p', '>'],
      ['<!x', '>'],
    ])
      assert.doesNotMatch(rendered(page(`${start}<?php ${end} secret ?>${end}`)), /secret/, start)
    const inScript = page('<script><?php echo "</script>secret" ?></script>')
    assert.equal(rendered(inScript), page('<script></script>'))
  })

  test('keeps an index in a value', () => {
    const text = '<input name="user[first_name]" onclick="f(a[b_c][d_e])">'
    renders([[text, text]])
  })

  test('links to files only by number', () => {
    renders([
      ['<a href="[get_asset_file_url id=5]#top">x</a>', '<a href="/file/5#top">x</a>'],
      [`<img src=[get_asset_file_url id='6'] alt=x>`, '<img src="/file/6" alt=x>'],
      ['<a href="[get_asset_file_url id="7"]">x</a>', '<a href="/file/7">x</a>'],
      ['at [get_asset_file_url id=8]', 'at /file/8'],
      ['<a href="[get_asset_file_url id=&quot;9&quot;]">x</a>', '<a href="/file/9">x</a>'],
      ['<a href="[get_asset_file_url id={{x}}]">x</a>', '<a href="">x</a>'],
      ['<a href="[get_asset_file_url id=0]">x</a>', '<a href="">x</a>'],
    ])
  })

  test('has the same tree in HTML', () => {
    renders([
      ['<p/>a<script src="b"/>c', '<p></p>a<script src="b"></script>c'],
      ['<br/><img src=a></img>b<br></br>', '<br/><img src=a>b<br>'],
      ['<![CDATA[a < b & c]]>', 'a &lt; b &amp; c'],
      ['<![CDATA[<?php a[b[0]]> 1 ?>d]]>', 'd'],
    ])
    const around = '\ufeff<?xml version="1.0"?>\n<div id="dd.0"></div>'
    assert.equal(rendered(around), '<!-- xml -->\n<div id="dd.0"></div>')
  })

  test('may end with an unclosed tag or instruction, as in pages of early versions', () => {
    for (const open of ['<a title="<?php secret', '<a title="{{x}} secret', '<a [b_c]', '<?xml'])
      assert.equal(rendered(`<p>a ${open}`), '<p>a ')
    assert.equal(rendered('<p>a <?php secret'), '<p>a <!-- php -->')
    // Read as a shortcode, the bracket would hide the quote that ends the value.
    const literal = '<a title="[b_c d="><b>x</b>{{y}}'
    assert.equal(rendered(literal), '<a title="[b_c d="><b>x</b><!-- field y -->')
  })

  test('has comments that code cannot close', () => {
    const pages = [
      '[a--> x _=1]',
      '[a_--_b c="--!>"]',
      '{{a-->}}',
      '<?php --> <script>?>',
      '[a_>b c="]"]',
    ]
    for (const source of pages) {
      const comments = [...rendered(page(source)).matchAll(/<!--([^]*?)-->/g)]
      for (const [, text = ''] of comments) assert.match(text, /^ [a-z]+(?: [a-z ]*\w+)? $/)
      assert.doesNotMatch(rendered(page(source)), /<script/)
    }
  })

  test('bounds comments and slots', () => {
    const comments = rendered('[a_]'.repeat(20_000))
    assert.equal(comments, '<!-- shortcode a_ -->'.repeat(10_000))
    const { slots } = renderStml('[get_asset_file_url id=1]'.repeat(2_000))
    assert.equal(slots.length, 1_000)
  })

  test('is rendered in linear time: 500 KB of any piece', { timeout: 60_000 }, () => {
    const pieces = [
      '[a_',
      '[a "',
      '<!x>',
      '<?=?>',
      '<a "',
      '[/b',
      '{{a',
      '<![CDATA[',
      '<!--',
      '<%',
      '<a>',
    ]
    const befores = ['', '<script>', '<p a="', '<p ', '<p a="b[c ', '<title></title>']
    for (const piece of pieces)
      for (const before of befores) {
        const text = before + piece.repeat(500_000 / piece.length)
        for (const after of ['', ' %>"]"><?php ?>'])
          assert.ok(renderStml(text + after).bytes.length <= 2 * text.length)
      }
    const title = '<title></title>'.repeat(130_000)
    assert.equal(renderStml(`${title}<?php ?>`).bytes.length, title.length + 12)
  })
})
