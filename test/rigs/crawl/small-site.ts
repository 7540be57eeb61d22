// A small website with names that are hard to link to.

import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FOLDERS = [
  '',
  'news',
  'news/2026',
  'Größe & Maß',
  "o'clock (a) [b]",
  '100 % #1',
  'ünï/deep/er',
]
const PAGES_IN_A_FOLDER = 8
const OTHERS: Readonly<Record<string, Buffer>> = {
  'empty.css': Buffer.alloc(0),
  'large.bin': randomBytes(3_000_000),
  'style.css': Buffer.from('body { background: url("picture;a=b,c.svg") }\n'.repeat(100)),
  'picture;a=b,c.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'news.tar.gz': randomBytes(1_000),
  'old & new?.txt': Buffer.from('\ufeffZeile eins\r\nZeile zwei\r\n', 'utf16le'),
  '~user+name=1@home:a.js': Buffer.from('console.log("</script>")'),
}

/** Pages in several folders, each of which links to all files. */
export function writeSmallSite(directory: string): void {
  const paths = FOLDERS.flatMap((folder) =>
    Array.from({ length: PAGES_IN_A_FOLDER }, (_, at) =>
      join(folder, at === 0 ? 'index.html' : `page ${at} – "x".html`),
    ),
  )
  const all = [...paths, ...Object.keys(OTHERS)]
  const links = all.map((path) => `<a href="/${addressOf(path)}">page</a>`).join('\n')
  const head = '<!doctype html>\n<meta charset="utf-8">\n'
  for (const path of paths) write(directory, path, Buffer.from(`${head}<p>${path}\n${links}\n`))
  for (const [path, bytes] of Object.entries(OTHERS)) write(directory, path, bytes)
}

function addressOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function write(directory: string, path: string, bytes: Buffer): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), bytes)
}
