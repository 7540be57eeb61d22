// Valid pages, faults with their exact positions, then properties of any tree and any text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { checkStml } from '../../lib/schema/stml.ts'

const REALISTIC_PAGE = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
<!-- Two columns; the zones have gaps and any order. -->
<div class="dynamicDiv wide" id="dd.0" style="width: 960px">
  <div class="dynamicDiv" id="dd.0.2">
    <h1>{{title}} &amp; more &nbsp; R&D</h1>
    [if field="price" op="<"]<p>from {{{price}}}</p>[/if]
    <a href="[get_asset_file_url id={{file}}]&lang=en">Read</a>
    <a href="[link page="start" anchor="top"]" class="more">More</a>
  </div>
  <div class="dynamicDiv" id="dd.0.0.1">
    <img src="[get_asset_file_url id="7"]" alt="a > b"><br>
    <!--[if lt IE 9]><p>old</div><![endif]-->
    <![if !IE]><input type=checkbox checked><![endif]>
    <?php if ($n > 1 && $n < 9): echo "</p>"; endif ?>
    <option <?= $i > 0 ? 'selected="a>b"' : '' ?> value="<?php echo $v["k"] ?>">one</option>
    <script>if (a < b && c > d) document.write('<p>' + "</div>")</script>
    <object><param name="movie" value="x"><embed src="x"></embed></object>
  </div>
</div>
<!-- end -->
`

const ACCEPTED: readonly (readonly [string, string])[] = [
  ['a page as clients send it', REALISTIC_PAGE],
  ['the same page with CR LF', REALISTIC_PAGE.replaceAll('\n', '\r\n')],
  ['an empty root', '<div id="dd.0"></div>'],
  ['a self-closed root', '<div id="dd.0"/>'],
  ['single quotes', "<div class='a' id='dd.0'></div>"],
  ['no quotes', '<div id=dd.0 class=a></div>'],
  ['blanks around the equals sign', '<div id\n=\t"dd.0"></div>'],
  ['names in upper case', '<DIV ID="dd.0"><P>x</p></div>'],
  ['blanks in an end tag', '<div id="dd.0"></div\n >'],
  ['the first of two ids', '<div id="dd.0" id="x"></div>'],
  ['repeated ids that are not zones', '<div id="dd.0"><p id="a"></p><p id="a"></p></div>'],
  ['zone names in other attributes', '<div id="dd.0"><p data-id="dd.0" class="dd.0"></p></div>'],
  ['a void element with its end tag', '<div id="dd.0"><br></br><IMG src=x></img></div>'],
  ['any element self-closed', '<div id="dd.0"><p/><x:y a="b" /><script src="x"/><p>x</p></div>'],
  ['a bare value that ends in a slash', '<div id="dd.0"><a href=http://a.b/>x</a></div>'],
  ['undeclared prefixes', '<div id="dd.0"><x:y z:a="1"><x:b>t</x:b></x:y></div>'],
  ['a < that begins no tag', '<div id="dd.0">a < b <3 <= <- << </ <{{x}} < </div>'],
  ['a > in text', '<div id="dd.0">a > b ]]> --> ?></div>'],
  ['bare & and unknown entities', '<div id="dd.0">& &x; &#0; &#xZ; &lt &amp;&amp;</div>'],
  ['CDATA', '<div id="dd.0"><![CDATA[</div><p> ]] > ]]></div>'],
  ['a DOCTYPE that is not one', '<div id="dd.0"><!-- <!DOCTYPE a> --><p a="<!DOCTYPE a>"/></div>'],
  ['the shortest comment', '<div id="dd.0"><!--></div>'],
  ['short comments', '<div id="dd.0"><!---><!----></div>'],
  [
    'conditional comments for all',
    '<div id="dd.0"><!--[if !IE]><!--><p></p><!--<![endif]--></div>',
  ],
  ['markup in comments', '<div id="dd.0"><!-- </div> <?php " \' <b> --></div>'],
  ['PHP in a name', '<div id="dd.0"><h<?= $n > 1 ?>>x</h<?= $n > 1 ?>></div>'],
  ['PHP in a quoted value', '<div id="dd.0"><a b="<?= "</a>" ?>" c=\'<?= \'<b>\' ?>\'>x</a></div>'],
  ['PHP in a bare value', '<div id="dd.0"><a href=<?= "a b>" ?>>x</a></div>'],
  ['PHP between attributes', '<div <?php if (a > b) {?> class="a" <?php } ?> id="dd.0"></div>'],
  ['fields as attributes', '<div id="dd.0"><p {{a}} {{{b}}}="{{c}}" [d e="f"] = =>x</p></div>'],
  ['a stray quote in a tag', '<div id="dd.0"><p class="a"">x</p><p \'>y</p></div>'],
  [
    'raw text',
    '<div id="dd.0"><style>a<b{}</style><TITLE><p></Title ><textarea></p></textarea></div>',
  ],
  ['an end tag in a script', '<div id="dd.0"><script>"</scripts></p>" // <!--</script></div>'],
  ['128 levels', `<div id="dd.0">${'<b>'.repeat(127)}${'</b>'.repeat(127)}</div>`],
]

for (const [name, page] of ACCEPTED) {
  test(`a page with ${name} is accepted`, () => {
    assert.equal(checkStml(page), undefined)
  })
}

const OPEN = '<div id="dd.0">'
const DEEP = `${OPEN}${'<b>'.repeat(128)}${'</b>'.repeat(128)}</div>`

const REFUSED: readonly (readonly [string, string, number, number, RegExp])[] = [
  ['nothing', '', 1, 1, /no root element/],
  ['white space only', ' \n\t', 2, 2, /no root element/],
  ['comments only', '<!-- a -->\n<?xml?>', 2, 8, /no root element/],
  ['a NUL', `${OPEN}\n a\0</div>`, 2, 3, /NUL/],
  ['a NUL before another fault', `${OPEN}\0</p>`, 1, 16, /NUL/],
  ['a NUL after another fault', '<p>\0</p>', 1, 1, /root is not/],
  ['text before the root', ` a${OPEN}</div>`, 1, 2, /outside the root/],
  ['text after the root', `${OPEN}\n</div>\n\nb`, 4, 1, /outside the root/],
  ['a < after the root', `${OPEN}</div> < `, 1, 23, /outside the root/],
  ['a no-break space around the root', `\u00A0${OPEN}</div>`, 1, 1, /outside the root/],
  ['a shortcode around the root', `[a]${OPEN}</div>[/a]`, 1, 1, /outside the root/],
  ['CDATA before the root', `<![CDATA[]]>${OPEN}</div>`, 1, 1, /outside the root/],
  ['a root that is not a div', '<p id="dd.0"></p>', 1, 1, /root is not/],
  ['a root without an id', '<div><div id="dd.0"></div></div>', 1, 1, /root is not/],
  ['a root with another id', '\uFEFF<div id="dd.0.1"></div>', 1, 2, /root is not/],
  ['a root whose second id is right', '<div id="x" id="dd.0"></div>', 1, 1, /root is not/],
  ['a root whose id has no value', '<div id></div>', 1, 1, /root is not/],
  ['an id in another case', '<div id="DD.0"></div>', 1, 1, /root is not/],
  ['a void root', '<br id="dd.0">', 1, 1, /root is not/],
  ['a second root', `${OPEN}</div>\n<div id="dd.1"></div>`, 2, 1, /second root/],
  ['a void second root', `${OPEN}</div><hr>`, 1, 22, /second root/],
  ['a DOCTYPE', `<!DOCTYPE html>${OPEN}</div>`, 1, 1, /DOCTYPE/],
  ['a DOCTYPE in mixed case', `${OPEN}\r\n<!docType a [<!ENTITY b "c">]></div>`, 2, 1, /DOCTYPE/],
  ['an entity declaration', `${OPEN}<!entity b "c"></div>`, 1, 16, /declares no entities/],
  ['an element never closed', `${OPEN}\n <p>a\n <b>b</b>`, 2, 2, /^<p> is never closed/],
  ['a root never closed', `\n${OPEN}<br>`, 2, 1, /^<div> is never closed/],
  ['an end tag too many', `${OPEN}</div></div>`, 1, 22, /^<\/div> closes nothing/],
  ['an end tag first', `</p>${OPEN}</div>`, 1, 1, /^<\/p> closes nothing/],
  ['a wrong end tag', `${OPEN}\n<i>\n</b></i></div>`, 3, 1, /<\/b> .* <i> of line 2/],
  ['wrongly nested tags', `${OPEN}<B><i>x</b></i></div>`, 1, 23, /<\/b> .* <i> of line 1/],
  ['a p left open', `${OPEN}<p>a<p>b</p></div>`, 1, 28, /<\/div> .* <p> of line 1/],
  ['an li left open', `${OPEN}<ul>\n<li>a\n<li>b\n</ul></div>`, 4, 1, /<\/ul> .* <li> of line 3/],
  ['an end tag of nothing void', `${OPEN}</br></div>`, 1, 16, /<\/br> .* <div>/],
  ['a void element closed twice', `${OPEN}<br></br></br></div>`, 1, 25, /<\/br> .* <div>/],
  ['a void element closed late', `${OPEN}<br><hr></br></div>`, 1, 24, /<\/br> .* <div>/],
  ['a void element closed in the next', `${OPEN}<br><p></br></p></div>`, 1, 23, /<\/br> .* <p>/],
  ['a self-closed element closed', `${OPEN}<p/></p></div>`, 1, 20, /<\/p> .* <div>/],
  ['a slash before a blank', `${OPEN}<p / ></div>`, 1, 22, /<\/div> .* <p>/],
  ['a comment never closed', `${OPEN}\n a<!-- -- > </div>`, 2, 3, /comment .* Add -->/],
  ['CDATA never closed', `${OPEN}<![CDATA[ ]] > </div>`, 1, 16, /CDATA .* Add \]\]>/],
  ['CDATA in lower case', `${OPEN}<![cdata[ > ]]></p></div>`, 1, 31, /<\/p> .* <div>/],
  ['PHP never closed', `${OPEN}<?php a > b </div>`, 1, 16, /instruction .* Add \?>/],
  ['PHP in a value never closed', `${OPEN}<a href="<? ">x</a></div>`, 1, 25, /instruction/],
  ['a declaration never closed', `${OPEN}</div><!a`, 1, 22, /declaration .* Add >/],
  ['a double quote never closed', `${OPEN}<a b\n="c>x</a></div>`, 2, 2, /quoted value .* Add "/],
  ['a single quote never closed', `${OPEN}<a b='c>x</a></div>`, 1, 21, /quoted value .* Add '/],
  ['a tag never closed', `${OPEN}<p class=a`, 1, 16, /tag <p is never closed/],
  ['a tag closed by the next', `${OPEN}<p class="a" <b>x</b></p></div>`, 1, 16, /tag <p is/],
  ['a name closed by the next tag', `${OPEN}<p<b>x</b></p></div>`, 1, 16, /tag <p is/],
  ['an end tag never closed', `${OPEN}<p></p <b></b></div>`, 1, 19, /tag <\/p is/],
  ['an end tag with an attribute', `${OPEN}</div a="b">`, 1, 16, /tag <\/div is/],
  ['half a tag at the end', `${OPEN}</div`, 1, 16, /tag <\/div is/],
  ['a script never closed', `${OPEN}<script>a</scripts></div>`, 1, 16, /^<script> is never/],
  [
    'a zone id twice',
    `${OPEN}\n<p id=dd.0.1 />\n<p id='dd.0.1'/></div>`,
    3,
    1,
    /"dd\.0\.1" .* line 2/,
  ],
  ['the id of the root twice', `${OPEN}<img id="dd.0"></div>`, 1, 16, /"dd\.0" .* line 1/],
  ['129 levels', DEEP, 1, 16 + 3 * 127, /deeper than 128/],
  ['a void element on level 129', DEEP.replace('<b></b>', '<br>'), 1, 397, /deeper than 128/],
  ['a fault behind wide characters', `${OPEN}é😀</p></div>`, 1, 19, /<\/p> .* <div>/],
  ['a fault behind lone CRs', `${OPEN}\r\r\n\n \r</p></div>`, 5, 1, /<\/p> .* <div>/],
]

for (const [name, page, line, column, detail] of REFUSED) {
  test(`B14: a page with ${name} is refused`, () => {
    const fault = checkStml(page)
    assert.ok(fault)
    assert.deepEqual([fault.line, fault.column], [line, column], fault.detail)
    assert.match(fault.detail, detail)
  })
}

test('a message stays short, whatever the page contains', () => {
  const long = 'a'.repeat(100_000)
  const pages = [`<${long}>`, `</${long}>`, `${OPEN}<${long}`, `${OPEN}<${long}></b>`]
  pages.push(`${OPEN}<p id="dd.${long}"/><p id="dd.${long}"/></div>`)
  for (const page of pages) assert.ok((checkStml(page)?.detail ?? long).length < 300)
})

type Tokens = readonly string[]

const LEAVES = fc.constantFrom(
  'text',
  'a < b',
  '&nbsp;&',
  '<br>',
  '<img src="a>b">',
  '<x:y/>',
  '<!-- <p> -->',
  '<?php a > b ?>',
  '<![CDATA[</p>]]>',
  '[a b="c"]',
  '{{d}}',
  '<script>a<b</script>',
  '\n',
  '<hr></hr>',
  '\u{1F600}',
)
const NAMES = fc.constantFrom('p', 'div', 'B', 'li', 'x:y', 'h1', 'p class="a>b"', "li c='d' e=f g")

const { trees } = fc.letrec<{ node: Tokens; trees: Tokens }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, depthSize: 'medium', withCrossShrink: true },
    LEAVES.map((leaf) => [leaf]),
    fc.tuple(NAMES, tie('trees')).map(([name, inner]) => {
      return [`<${name}>`, ...inner, `</${name.split(' ')[0]}>`]
    }),
  ),
  trees: fc.array(tie('node'), { maxLength: 5 }).map((nodes) => nodes.flat()),
}))
const PAGES = trees.map((inner): Tokens => [OPEN, ...inner, '</div>'])

test('any balanced tree is accepted', () => {
  fc.assert(fc.property(PAGES, (tokens) => checkStml(tokens.join('')) === undefined))
})

test('a tree without one of its end tags is refused', () => {
  fc.assert(
    fc.property(PAGES, fc.nat(), (tokens, seed) => {
      const ends = [...tokens.keys()].filter((index) => tokens[index]?.startsWith('</'))
      const lost = ends[seed % ends.length]
      const page = tokens.filter((_, index) => index !== lost).join('')
      return checkStml(page) !== undefined
    }),
  )
})

test('any text is accepted or has a fault at a position inside the text', () => {
  const signs = `< > </ /> " ' = <! <!-- --> <? ?> <![CDATA[ ]]> </div> <p </script <script> id`
  const others = [OPEN, ' ', '\n', '\r', '\0', '\uD800']
  const pieces = fc.constantFrom(...signs.split(' '), ...others)
  const markup = fc.array(pieces).map((parts) => OPEN + parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), markup), (text) => {
      const fault = checkStml(text)
      if (fault === undefined) return
      const line = text.split(/\r\n|\r|\n/)[fault.line - 1]
      assert.ok(line !== undefined && fault.column >= 1 && fault.column <= line.length + 1)
    }),
    { numRuns: 1000 },
  )
})

// A beginning, and pieces that are repeated after the beginning.
const HOSTILE: readonly (readonly [string, string, readonly string[]])[] = [
  ['around the root', '', [' ', '\n', '<!---->', '<?a?>', '<!DOCTYPE a [<!ENTITY b "&c;">']],
  ['in text', OPEN, ['<', '[', '"', '&lol;', '{{', '</', ']]', '<!', '<!-', '<!--', '<![CDATA[']],
  [
    'as tags',
    OPEN,
    ['<p', '<p ', '<p>', '<p/', '<p a="', '</p>', '<br>', '<?', '<?a?', '<p a="<?'],
  ],
  [
    'in a tag',
    `${OPEN}<p `,
    ['"', "'", '=', '/', ' ', 'a=', 'a = ', '<?a?>', 'id="dd.1"', '\u00E9'],
  ],
  ['in a value', `${OPEN}<p a="`, ["'", '<', '<?a?>', '>', '""']],
  ['in a comment', `${OPEN}<!--`, ['-', '--', '->', '<!--']],
  ['in a script', `${OPEN}<script>`, ['<', '</', '</script', '</scripts>']],
]

for (const [place, before, pieces] of HOSTILE) {
  test(`B11, B14: 5 MB of hostile text ${place} are refused in linear time`, () => {
    for (const piece of pieces) {
      const page = before + piece.repeat(5_000_000 / piece.length)
      assert.ok(checkStml(page), piece)
    }
  })
}

test('5 MB of small parts are accepted in linear time', () => {
  const parts = ['<p></p>', '<br>', '<p a="b"/>', '<!---->', '<?a?>', '<script></</script>', '< ']
  for (const part of [...parts, '<![CDATA[]]>', "<p <?a?> b='c' d=e></p>"]) {
    const page = `${OPEN}${part.repeat(5_000_000 / part.length)}</div>`
    assert.equal(checkStml(page), undefined, part)
  }
  const zones = Array.from({ length: 200_000 }, (_, index) => `<p id="dd.0.${index}"/>`)
  assert.equal(checkStml(`${OPEN}${zones.join('')}</div>`), undefined)
})
