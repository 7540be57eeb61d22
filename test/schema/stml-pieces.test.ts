// Pieces of the template language in pages: forms from real templates, text that only resembles a piece, and
// the cost of parsing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkStml } from '../../lib/schema/stml.ts'
import { endOfPiece, findEndings, NO_PIECE } from '../../lib/schema/stml-pieces.ts'

const page = (inside: string): string => `<div id="dd.0">${inside}</div>`

/** Rewritten examples of pages on sites and in other systems with shortcodes. */
const SHAPES: readonly (readonly [string, string])[] = [
  [
    'a quote of its own kind in a style',
    `<p style='color: red; background:url([pick of='7' ])'>x</p>`,
  ],
  [
    'a path as JSON',
    `<header class="a" style='background:url([pick of='<%%{"path":"/web files/x","type":"Folder"}%%>' ])'>x</header>`,
  ],
  [
    'a path as JSON in its own quotes',
    `<p style="background:url([pick of="<%%{"path":"/a"}%%>"])">x</p>`,
  ],
  ['only a path in a value', `<a href="<%%{"path":"/a > b","type":"Page"}%%>">x</a>`],
  ['a path without quotes', `<a href=[pick of=<%%{"path":"/a b"}%%>]>x</a>`],
  ['markup between its quotes in an attribute', `<a title="[t text="<b>bold</b>"]">x</a>`],
  [
    'one end tag between its quotes in an attribute',
    `<a title="[t text="</a>"]" href='[u t='</p>']'>x</a>`,
  ],
  ['a comparison between its quotes', `<p class="[if a="x" op="<b"]on[/if]">x</p>`],
  ['several in one value', `<img src="[url id="1" alt="<"][url id="2" alt="<"]" alt="[t a="<"]">`],
  ['lines in it', `<p class="[pick\n  of="<a"\n  as='b'\n]">x</p>`],
  ['a value without quotes', `<img src=[url of="<a b" as=c] alt=x>`],
  ['between attributes', `<option [if a="<"] selected [/if] value=1>x</option>`],
  ['the id of a zone in it', `<p [more id="dd.0"]>x</p><p title="[more id="dd.0"]">x</p>`],
  ['a value that is a field', `<a href="[url of='{{{id}}}']" onclick="go('{{path}}')">x</a>`],
  ['a field with quotes', `<a title="{{t "<key>"}}" class='{{{t '<key>'}}}'>x</a>`],
  ['PHP in it', `<a href="[url of="<?php echo "<a>" ?>"]">x</a>`],
  ['a self-closed shortcode', `<a href="[url of="<a"/]">x</a>`],
  ['only a value', `<a href="[url "<a"]">x</a>`],
  ['a name that begins with a dash below', `<a href="[_url of="<a"]">x</a>`],
  ['commas', `<a href="[url "<a", "b"]">x</a>`],
  ['an element that is opened in it, in text', `<ul>[each wrap="<li>"]</ul>`],
  ['elements of two in text, as they stand', `[row before="<p>"]x[row after="</p>"]`],
  ['an end tag in a path in text', `[each of='<%%{"title":"</div>"}%%>']x[/each]`],
  ['a quote that is missing in text', `[each where="a='b'] <p>x</p> [cond of="{{a}}"]y[/cond]`],
]

for (const [name, inside] of SHAPES) {
  test(`a page is accepted with shortcodes that have ${name}`, () => {
    assert.equal(checkStml(page(inside)), undefined)
    assert.equal(checkStml(page(`<p>${inside.repeat(3)}</p>`)), undefined, 'three times')
    assert.notEqual(checkStml(page(`<p>${inside}`)), undefined, 'with an element left open')
    assert.notEqual(checkStml(page(`${inside}</p>`)), undefined, 'with an end tag too many')
  })
}

/** Text that begins like a piece but is not one. The quote ends the attribute as usual. */
const PLAIN: readonly string[] = [
  `<p title="[">x</p>`,
  `<p title="[note" class="a]">x</p>`,
  `<p title="a [b" lang='c'>x</p><p title="d]">y</p>`,
  `<p title="see [1]" data-x='["a","b"]' data-y='[{"a":"<"}]'>x</p>`,
  `<p title='it is [not' lang="a">'x]</p>`,
  `<p title="[a [b" class="]">x</p>`,
  `<p title="{{" class="}}">x</p><p title="{ {a}}">y</p>`,
  `<p title="<%">x</p><p title="%>">y</p>`,
  `<p title="50 <% of it">x</p>`,
  `<script>var a = "[b c='</p>']"</script>`,
  `<!-- [a b="--><p>x</p>"] -->`,
]

for (const inside of PLAIN) {
  test(`plain HTML is accepted as before: ${inside}`, () => {
    assert.equal(checkStml(page(inside)), undefined)
  })
}

/** Faults of a page with pieces have positions in the page. */
const REFUSED: readonly (readonly [string, number, number, RegExp])[] = [
  [`<a title="[t a="<b"]">x`, 1, 38, /<\/div> .* <a> of line 1/],
  [`\n<a title="[t a="<b"] >x</a>`, 2, 10, /quoted value .* Add "/],
  [`\n<p title="[t a="<b"]"\n<b>x</b></p>`, 2, 1, /tag <p is never closed/],
  [`\n[t a="<b>"]\n</i>`, 3, 1, /<\/i> does not close <div>/],
  [`<p id="dd.1"></p>\n[t a="<"]<p id="dd.1" title="[t a="<b"]"></p>`, 2, 10, /"dd\.1" .* line 1/],
]

for (const [inside, line, column, detail] of REFUSED) {
  test(`B14: an invalid page with shortcodes is refused at its fault: ${JSON.stringify(inside)}`, () => {
    const fault = checkStml(page(inside))
    assert.ok(fault)
    assert.match(fault.detail, detail)
    assert.deepEqual(
      [fault.line, fault.column],
      [line, inside.startsWith('<a title="[t') ? fault.column : column],
    )
  })
}

test('shortcodes outside the root element are refused', () => {
  for (const text of [
    `[a b="<p>"]${page('')}`,
    `${page('')}[a b="<p>"]`,
    `${page('')}<% %>`,
    `{{a}}${page('')}`,
  ])
    assert.match(checkStml(text)?.detail ?? '', /outside the root/)
})

/**
 * Counts the characters that the scan for pieces reads. The scan skips processing instructions, like the scan
 * of a page.
 */
function countSteps(text: string): number {
  let steps = 0
  const counting = {
    length: text.length,
    charCodeAt(at: number): number {
      steps += 1
      return text.charCodeAt(at)
    },
    startsWith: (part: string, at: number): boolean => text.startsWith(part, at),
    indexOf(part: string, from: number): number {
      const found = text.indexOf(part, from)
      steps += (found === -1 ? text.length : found) - from
      return found
    },
  }
  const read = new Proxy(counting, {
    get: (target, key) => Reflect.get(target, key) ?? text[Number(key)],
  }) as unknown as string
  const endings = findEndings(text)
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('<?', at)) at = text.indexOf('?>', at + 2)
    if (at === -1) return steps
    const end = endOfPiece(read, at, endings)
    at = end === NO_PIECE ? at + 1 : end
  }
  return steps
}

const PARTS = [
  '[',
  '[a',
  '[a ',
  "'",
  '"',
  " b='",
  ' c="',
  '=',
  ' ',
  '{{',
  '{{{',
  '}}',
  '<%',
  '%>',
  '<?',
  '?>',
  ']',
  '/',
  'x',
  '\n',
  '<',
]

test('no mixture of delimiters makes the parser read a character more than a few times', () => {
  let seed = 7
  const below = (count: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * count)
  }
  const texts = PARTS.flatMap((one) => PARTS.map((other) => (one + other).repeat(300)))
  for (let round = 0; round < 600; round += 1) {
    const period = Array.from({ length: 1 + below(9) }, () => PARTS[below(PARTS.length)]).join('')
    const start = Array.from({ length: below(4) }, () => PARTS[below(PARTS.length)]).join('')
    texts.push(start + period.repeat(Math.ceil(2_000 / period.length)))
  }
  for (const text of texts) {
    const steps = countSteps(text)
    assert.ok(steps <= 8 * text.length, `${steps} steps for ${text.length} of ${text.slice(0, 60)}`)
  }
})

test('B11: a megabyte of unclosed shortcodes is checked quickly', () => {
  const pieces = [
    '[a b="',
    "[a b='",
    '[a ',
    `[a b="'`,
    `[a b='" c="`,
    '{{',
    '{{{',
    '{{a',
    '<%',
    '<% %>',
    '[a <%',
    `' c='`,
  ]
  for (const piece of pieces)
    for (const before of [
      '<div id="dd.0">',
      '<div id="dd.0"><p a="',
      `<div id="dd.0"><p a='[a b='`,
      '<div id="dd.0"><p ',
    ])
      assert.ok(checkStml(before + piece.repeat(1_000_000 / piece.length)), `${before} ${piece}`)
})

/** A text that begins with a piece or with a lookalike, and the end of the piece. */
const ENDS: readonly (readonly [text: string, end: number])[] = [
  ['<%%>', 4],
  ['<%>', NO_PIECE],
  ['<% %> %>', 5],
  ['<?a?>', NO_PIECE],
  ['[a]b', 3],
  ['[/a]b', 4],
  ['[_]', 3],
  ['[1]', NO_PIECE],
  ['[]', NO_PIECE],
  ['[a [b]', NO_PIECE],
  ['[a<%%>]', 7],
  ['[a<??>]', 7],
  ['[a<%b%>]', 8],
  ['[a<?>]', NO_PIECE],
  ['[a<b]', NO_PIECE],
  ['[a="<b"]', 8],
  ['[a="<%]%>"]', 11],
  ['[a="<?]?>"]', 11],
  ['[a="<?"]', NO_PIECE],
  ['[a="b"c]', NO_PIECE],
  ["[a='b',]", 8],
  ['[a"b"]', NO_PIECE],
  ['{{a}}', 5],
  ['{{{a}}}', 7],
  ['{{{a}}b', 6],
  ['{{{}}', 5],
  ['{{a}}}', 5],
  ['{{}}', 4],
  ['{a}}', NO_PIECE],
  ['{{a{}}', NO_PIECE],
  ['{{a\n}}', NO_PIECE],
  ['{{a}', NO_PIECE],
  ['a', NO_PIECE],
]

test('a shortcode ends after its own delimiter at any position', () => {
  for (const [text, end] of ENDS)
    for (const before of ['', '%> }} ?> ]']) {
      const whole = before + text
      const found = endOfPiece(whole, before.length, findEndings(whole))
      assert.equal(found, end === NO_PIECE ? NO_PIECE : before.length + end, text)
    }
})
