// Texts that other servers have interpreted as paths, headers, markup, code or queries. They are data: every
// interface either rejects such a text or returns the text unchanged.

/** Path traversal, and names with a special meaning on some systems. */
export const PATHS = [
  '..',
  '.',
  '../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\x',
  '%2e%2e%2f%2e%2e%2fx',
  '%252e%252e%252f',
  '..%c0%afx',
  '....//....//x',
  'file:///etc/passwd',
  'a/b',
  'a\\b',
  'a\u0000b',
  'a%00b',
  '.tmp',
  '.quarantine',
  'records',
  'instance.json',
  'lock',
  '00',
  'CON',
  'nul.txt',
  'a.',
  'a ',
  ' a',
  '~',
  '$HOME',
  '*',
  '-rf',
  'x'.repeat(255),
  'x'.repeat(256),
  '\u4e2d'.repeat(85),
  '\u4e2d'.repeat(86),
] as const

/** Line ends and separators in headers and logs. */
export const HEADERS = [
  'a\r\nX-Injected: yes',
  'a\nX-Injected: yes',
  'a\rX-Injected: yes',
  'a%0d%0aX-Injected:%20yes',
  'a\u0085X-Injected: yes',
  'a\u2028X-Injected: yes',
  '\u560d\u560aX-Injected: yes',
  'a"; filename="b.exe',
  "a; filename*=UTF-8''b.exe",
  'a\\"b',
  'a,b;c=d',
  '"',
  '=?utf-8?q?=0d=0aX-Injected:_yes?=',
  '{"level":60,"msg":"forged"}',
] as const

/**
 * Markup that a page or viewer could execute; each text requests an address that contains `canary`.
 */
export const MARKUP = [
  '<script>fetch("/canary")</script>',
  '"><script src="/canary"></script>',
  "'><img src=x onerror=fetch('/canary')>",
  '<img src="/canary">',
  '<svg onload=fetch("/canary")>',
  '<svg><animate onbegin=fetch("/canary") attributeName=x dur=1s>',
  '<iframe src="javascript:fetch(\'/canary\')"></iframe>',
  '<iframe srcdoc="&lt;script&gt;fetch(\'/canary\')&lt;/script&gt;"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=/canary onerror=fetch(1)&gt;">',
  '<details open ontoggle=fetch("/canary")>',
  '<style>@import "/canary";</style>',
  '<link rel=stylesheet href="/canary">',
  '<meta http-equiv=refresh content="0;url=/canary">',
  '<base href="/canary/">',
  '<form action="/canary"><input autofocus onfocus=this.form.submit()>',
  '[a](javascript:fetch("/canary"))',
  '![a](/canary)',
  '<a href="javascript:fetch(\'/canary\')">a</a>',
  '</title><script>fetch("/canary")</script>',
  '--></style></script><script>fetch("/canary")</script>',
  '{{constructor.constructor("fetch(\'/canary\')")()}}',
  '${fetch("/canary")}',
] as const

/**
 * Texts that a database, template engine, shell or spreadsheet could execute, and texts that break
 * parsers.
 */
export const CODE = [
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '{"$gt":""}',
  '{"$where":"sleep(1000)"}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '=cmd|"/c calc"!A1',
  '@SUM(1+1)',
  '; id',
  '$(id)',
  '`id`',
  '| id',
  '(a+)+$',
  '%s%s%s%n',
  'null',
  'undefined',
  'NaN',
  '',
  '\ufeff',
  '\ufffd',
  '\u202eexe.txt',
  '\u2066a\u2069',
  'a\u200bb',
  '\u0007',
  '\u001b[31m',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301',
  '\u212b',
  '\u0130',
] as const

export const HOSTILE: readonly string[] = [...PATHS, ...HEADERS, ...MARKUP, ...CODE]
