// The title of an uploaded page, so that menus and lists show the title instead of the file name. The policy of the area
// allows no parser of HTML, so only titles that need none are taken.

const READ_BYTES = 64 * 1024

/** The server accepts no longer title. */
const MOST_CHARACTERS = 255

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Undefined for other files, and for titles that cannot be read exactly. */
export async function titleOfPage(file: File): Promise<string | undefined> {
  if (!/\.html?$/i.test(file.name)) return undefined
  const head = await file.slice(0, READ_BYTES).text()
  const [, source = ''] = /<title(?:\s[^>]*)?>([^<]*)<\/title\s*>/i.exec(head) ?? []
  const title = decode(source).replaceAll(/\s+/g, ' ').trim()
  // A replacement character means that the file is not UTF-8.
  const isExact = title !== '' && !/[\ufffd\p{Cc}\p{Cs}]|&[a-z]+;/iu.test(title)
  return isExact && title.length <= MOST_CHARACTERS ? title : undefined
}

function decode(source: string): string {
  return source.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
