// Requests as exact bytes that no client would send, each with the expected answer: a corpus in the
// form of data. SECRET stands for a valid key.

export interface Frame {
  /** The row in the fault table. */
  readonly row: string
  readonly what: string
  readonly bytes: string
  readonly status: number
  /** The problem code. */
  readonly code?: string | undefined
  /** The server either answers a good request that follows, or closes the connection first. */
  readonly after: 'next' | 'end' | 'either'
}

const HOST = 'Host: cms.example.org'
const KEY = 'Authorization: Bearer SECRET'
const PATH = '/api/v2/asset_category'
const GET = `GET ${PATH} HTTP/1.1`
const POST = `POST ${PATH} HTTP/1.1`
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'

/** Builds a well-formed head from the lines. */
const head = (...lines: readonly string[]) => `${[...lines, ''].join('\r\n')}\r\n`

const many = (count: number) => Array.from({ length: count }, (_, index) => `X${index}: x`)

type Line = readonly [what: string, bytes: string, status: number, code?: string]

function framesOf(row: string, after: Frame['after'], frames: readonly Line[]): readonly Frame[] {
  return frames.map(([what, bytes, status, code]) => ({ row, what, bytes, status, code, after }))
}

const length = (...values: readonly string[]) =>
  head(POST, HOST, KEY, JSON_TYPE, ...values.map((value) => `Content-Length: ${value}`))
const chunks = (text: string, ...more: readonly string[]) =>
  head(POST, HOST, KEY, JSON_TYPE, ...more, CHUNKED) + text

const PUBLIC = head('GET /health HTTP/1.1', HOST)
/** Hides a request in a chunk of the body. */
function hidden(of: string): string {
  return `${of}${PUBLIC.length.toString(16)}\r\n${PUBLIC}\r\n0\r\n\r\n`
}

const DOUBTFUL = framesOf('H5', 'end', [
  ['a length and chunks', `${chunks('0\r\n\r\n', 'Content-Length: 2')}{}`, 400, 'bad-request'],
  ['two lengths', `${length('2', '3')}{}`, 400, 'bad-request'],
  ['the same length twice', `${length('2', '2')}{}`, 400, 'bad-request'],
  ['a list of lengths', `${length('2, 2')}{}`, 400, 'bad-request'],
  ['a length with a sign', `${length('+2')}{}`, 400, 'bad-request'],
  ['a negative length', `${length('-2')}{}`, 400, 'bad-request'],
  ['a length that is no number', `${length('2x')}{}`, 400, 'bad-request'],
  ['a hexadecimal length', `${length('0x2')}{}`, 400, 'bad-request'],
  ['a length beyond 2^64', `${length('99999999999999999999')}{}`, 400, 'bad-request'],
  ['a length with a blank in it', `${length('1 2')}{}`, 400, 'bad-request'],
  [
    'an encoding after chunked',
    head(POST, HOST, KEY, 'Transfer-Encoding: chunked, gzip'),
    400,
    'bad-request',
  ],
  [
    'chunked twice',
    head(POST, HOST, KEY, 'Transfer-Encoding: chunked, chunked'),
    400,
    'bad-request',
  ],
  ['an encoding of its own', head(POST, HOST, KEY, 'Transfer-Encoding: xchunked'), 400],
  ['an encoding with another space', head(POST, HOST, KEY, 'Transfer-Encoding:\vchunked'), 400],
  ['a chunk size that is none', chunks('x\r\n{}\r\n0\r\n\r\n'), 400, 'bad-request'],
  ['a chunk size with a sign', chunks('-2\r\n{}\r\n0\r\n\r\n'), 400, 'bad-request'],
  ['a chunk size beyond 2^64', chunks('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'), 400],
  ['a chunk longer than its size', chunks('1\r\n{}\r\n0\r\n\r\n'), 400, 'bad-request'],
  ['a chunk that ends in LF alone', chunks('2\n{}\n0\n\n'), 400, 'bad-request'],
  [
    'an extension of a chunk of 20 KiB',
    chunks(`2;${'x'.repeat(20_480)}\r\n{}\r\n`),
    400,
    'bad-request',
  ],
  ['a trailer of 20 KiB', chunks(`2\r\n{}\r\n0\r\nX: ${'x'.repeat(20_480)}\r\n\r\n`), 431],
  ['a space before the colon', head(GET, HOST, 'Authorization : Bearer x'), 400, 'bad-request'],
  ['a header that is folded', head(GET, HOST, KEY, 'X: a', ' b'), 400, 'bad-request'],
  ['a header without a name', head(GET, HOST, KEY, ': a'), 400, 'bad-request'],
  ['a header without a colon', head(GET, HOST, KEY, 'Xa'), 400, 'bad-request'],
  ['a line feed alone', `${GET}\n${HOST}\n${KEY}\n\n`, 400, 'bad-request'],
  ['a line feed alone between headers', `${GET}\r\n${HOST}\n${KEY}\r\n\r\n`, 400, 'bad-request'],
  ['a carriage return alone', `${GET}\r\n${HOST}\r\nX: a\rb\r\n${KEY}\r\n\r\n`, 400, 'bad-request'],
  ['NUL in a header', head(GET, HOST, KEY, 'X: a\0b'), 400, 'bad-request'],
  ['NUL in the target', head(`GET ${PATH}\0 HTTP/1.1`, HOST, KEY), 400, 'bad-request'],
  ['a control character in the target', head('GET /\x01 HTTP/1.1', HOST), 400, 'bad-request'],
  ['a space in the target', head('GET /a b HTTP/1.1', HOST), 400, 'bad-request'],
  ['a tab before the target', head(`GET\t${PATH} HTTP/1.1`, HOST, KEY), 400, 'bad-request'],
  ['a space before the method', ` ${head(GET, HOST, KEY)}`, 400, 'bad-request'],
  ['a method of its own', head('GOT / HTTP/1.1', HOST, KEY), 400, 'bad-request'],
  ['a method in small letters', head(`get ${PATH} HTTP/1.1`, HOST, KEY), 400, 'bad-request'],
  ['another version', head('GET / HTTP/3.7', HOST), 400, 'bad-request'],
  ['no version', 'GET /\r\n\r\n', 400, 'bad-request'],
])

/**
 * The server reads these bodies as chunks, although another reader may not. Each body would hide a
 * request.
 */
const CODINGS = framesOf(
  'H5',
  'end',
  [
    'gzip, chunked',
    'identity, chunked',
    'identity',
    'gzip',
    'chunked;x=1',
    'chunked ;x',
    '"chunked"',
    ', chunked',
    'chunked,',
    'chunked, chunked',
    'chunked, identity',
    '',
    `\r\n${CHUNKED}`,
    `gzip\r\n${CHUNKED}`,
    `chunked\r\n${CHUNKED}`,
    'chunked\r\nTransfer-Encoding: gzip',
    'chunked\r\nTransfer-Encoding:',
    '\r\nContent-Length: 3',
    'gzip, chunked\r\nContent-Length: 3',
  ].map((value): Line => {
    const lines = `Transfer-Encoding: ${value}`
    return [`the coding ${JSON.stringify(value)}`, hidden(head(POST, HOST, KEY, lines)), 400]
  }),
)

/** The server closes the connection after the head, whatever the framing of the body is. */
const VERSIONS = framesOf('H5', 'end', [
  [
    'chunks in HTTP/1.0',
    hidden(head(POST.replace('1.1', '1.0'), HOST, KEY, 'Connection: keep-alive', CHUNKED)),
    400,
    'bad-request',
  ],
  ['bytes behind the last request', `${head(GET, HOST, KEY, 'Connection: close')}GET`, 200],
])

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'] as const
const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']

/** The server ignores the upgrade, answers the request and reads nothing after it. */
const UPGRADES = framesOf('H10', 'end', [
  ['an upgrade', head(GET, HOST, KEY, ...UPGRADE), 200],
  ['an upgrade to HTTP/2', head(GET, HOST, KEY, ...H2C), 200],
  ['an upgrade without Connection', head(GET, HOST, KEY, 'Upgrade: h2c'), 200],
  [
    'an upgrade with a body',
    `${head(`DELETE ${PATH}/99999 HTTP/1.1`, HOST, KEY, ...UPGRADE, 'Content-Length: 2')}{}`,
    404,
  ],
  [
    'an upgrade to HTTP/2 with chunks',
    hidden(head(`DELETE ${PATH}/99999 HTTP/1.1`, HOST, KEY, ...H2C, CHUNKED)),
    404,
  ],
])

const GOOD = framesOf('H5', 'next', [
  ['chunked in another case', `${head(GET, HOST, KEY, CHUNKED.toUpperCase())}0\r\n\r\n`, 200],
  ['a plain request', head(GET, HOST, KEY), 200],
  ['an empty line before it', `\r\n${head(GET, HOST, KEY)}`, 200],
  ['the scheme of the key in another case', head(GET, HOST, KEY.replace('B', 'b')), 200],
])

const BAD_HOSTS = [
  'a b',
  'a\tb',
  'a, b',
  'a/b',
  'a?b',
  'a#b',
  'a@b',
  'a"b',
  'a\\b',
  '<a>',
  'a%2',
  'a%zz',
  ':80',
  'a:b',
  'a:-1',
  'a:65536',
  'a:1:2',
  '::1',
  '[::1',
  '[::1]a',
  '[::g]',
  '[]',
  '[fe80::1%25eth0]',
  '[v1.a]',
  'b\xe4r',
]

const HOSTS = framesOf('H6', 'next', [
  ['two Host headers', head(GET, HOST, 'Host: other', KEY), 400, 'bad-request'],
  ['the same Host header twice', head(GET, HOST, HOST, KEY), 400, 'bad-request'],
  ['no Host header', head(GET, KEY), 400, 'bad-request'],
  ['an empty Host header', head(GET, 'Host:', KEY), 200],
  ...[
    'cms',
    'a.b_c~',
    '127.0.0.1:8080',
    '[::1]',
    '[2001:db8::1]:80',
    'a:',
    'a%20b',
    "a!$&'()*+,;=b",
  ].map((host): Line => [`the host ${host}`, head(GET, `Host: ${host}`, KEY), 200]),
  ...BAD_HOSTS.map((host): Line => [`the host ${host}`, head(GET, `Host: ${host}`, KEY), 400]),
])

const KEYS = framesOf('H7', 'next', [
  ['two keys', head(GET, HOST, KEY, 'Authorization: Bearer x'), 400, 'invalid-request'],
  ['two keys, the wrong one first', head(GET, HOST, 'Authorization: Bearer x', KEY), 400],
  ['the same key twice', head(GET, HOST, KEY, KEY), 400, 'invalid-request'],
])

const LONG = [
  ...framesOf('H8', 'next', [
    ['100 headers', head(GET, HOST, KEY, ...many(98)), 200],
    ['101 headers', head(GET, HOST, KEY, ...many(99)), 431, 'headers-too-large'],
  ]),
  // Node 24 counts more than the bytes of a line and closes the connection.
  ...framesOf('H8', 'either', [
    ['1,500 tiny headers', head(GET, HOST, KEY, ...Array<string>(1_500).fill('a:b')), 431],
    [
      'a second key after 2,000 headers',
      head(GET, HOST, KEY, ...Array<string>(2_000).fill('a:'), KEY),
      431,
    ],
  ]),
  ...framesOf('H8', 'end', [['5,000 headers', head(GET, HOST, KEY, ...many(5_000)), 431]]),
  ...framesOf('H9', 'next', [
    [
      'an address of 8 KiB',
      head(`GET ${PATH}?qry=${'x'.repeat(8_200)} HTTP/1.1`, HOST, KEY),
      414,
      'uri-too-long',
    ],
  ]),
  ...framesOf('H9', 'end', [
    ['headers of 20 KiB', head(GET, HOST, KEY, `X: ${'x'.repeat(20_480)}`), 431],
    ['an address of 20 KiB', head(`GET /${'x'.repeat(20_480)} HTTP/1.1`, HOST, KEY), 414],
  ]),
]

const target = (text: string, method = 'GET') => head(`${method} ${text} HTTP/1.1`, HOST, KEY)

const TARGETS = [
  ...framesOf('H11', 'next', [
    ['an expectation of its own', head(GET, HOST, KEY, 'Expect: 200-ok'), 400, 'bad-request'],
  ]),
  ...framesOf('H10', 'next', [
    ['a whole address', target(`http://cms.example.org${PATH}`), 200],
    ['a whole address with https', target(`HTTPS://a:8443${PATH}`), 200],
    ['a whole address of another host', target(`http://other${PATH}`), 200],
    ['a whole address without Host', head(`GET http://a${PATH} HTTP/1.1`, KEY), 400, 'bad-request'],
    ['a whole address without a path', target('http://other'), 200],
    [
      'a whole address beside a Host that is none',
      head(`GET http://a${PATH} HTTP/1.1`, 'Host: a b', KEY),
      400,
    ],
    ['a whole address of no host', target(`http://a%zz${PATH}`), 400, 'bad-request'],
    ['a whole address of a port alone', target(`http://:80${PATH}`), 400, 'bad-request'],
    ['a whole address with a port that is none', target(`http://a:b${PATH}`), 400, 'bad-request'],
    ['a whole address of IPv6', target(`http://[::1]:80${PATH}`), 200],
    ['a whole address of half a literal', target(`http://[::1${PATH}`), 400, 'bad-request'],
    ['a whole address with a user', target(`http://a@b${PATH}`), 400, 'bad-request'],
    ['another scheme', target(`ftp://a${PATH}`), 400, 'bad-request'],
    ['an address with a fragment', target('/health#a'), 400, 'bad-request'],
    ['OPTIONS *', target('*', 'OPTIONS'), 204],
    ['OPTIONS of a whole host', target('http://a', 'OPTIONS'), 204],
    ['GET *', target('*'), 400],
    ['TRACE', target(PATH, 'TRACE'), 501, 'not-implemented'],
  ]),
  ...framesOf('H10', 'end', [
    ['CONNECT', target('other:443', 'CONNECT'), 501, 'not-implemented'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad-request'],
    ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, 'bad-request'],
  ]),
]

const NAMES = framesOf('H13', 'next', [
  ['__proto__', head(GET, HOST, KEY, '__proto__: x'), 200],
  ['__proto__ twice', head(GET, HOST, KEY, '__proto__: x', '__proto__: y'), 200],
  ['constructor', head(GET, HOST, KEY, 'constructor: x', 'prototype: x'), 200],
])

const UNWANTED = framesOf('H15', 'next', [
  ['a body on GET', `${head(GET, HOST, KEY, 'Content-Length: 2')}{}`, 200],
  ['a chunked body on GET', `${head(GET, HOST, KEY, CHUNKED)}2\r\n{}\r\n0\r\n\r\n`, 200],
  ['a body on HEAD', `${head(`HEAD ${PATH} HTTP/1.1`, HOST, KEY, 'Content-Length: 2')}{}`, 200],
  [
    'a body on DELETE of what is not there',
    `${head(`DELETE ${PATH}/99999 HTTP/1.1`, HOST, KEY, JSON_TYPE, 'Content-Length: 2')}{}`,
    404,
  ],
  ['a body after a refusal', `${head('POST /nowhere HTTP/1.1', HOST, 'Content-Length: 2')}{}`, 404],
  ['1 MiB after a refusal', body(1 << 20), 404],
])

const TOO_MUCH = framesOf('H15', 'end', [['2 MiB after a refusal', body(2 << 20), 404]])

function body(size: number): string {
  return head('POST /nowhere HTTP/1.1', HOST, `Content-Length: ${size}`) + 'x'.repeat(size)
}

export const FRAMES: readonly Frame[] = [
  ...DOUBTFUL,
  ...CODINGS,
  ...VERSIONS,
  ...UPGRADES,
  ...GOOD,
  ...HOSTS,
  ...KEYS,
  ...LONG,
  ...TARGETS,
  ...NAMES,
  ...UNWANTED,
  ...TOO_MUCH,
]
