// Numbers with a decimal comma, as people type them in German. The API takes a decimal point. A text that could mean two
// numbers has no reading, so that no value changes silently.

export type DecimalMark = ',' | '.'

/** The mark of the page language, in the reader's region. */
export function pageMark(): DecimalMark {
  const { lang } = document.documentElement
  const locale = navigator.languages.find((each) => each.split('-')[0] === lang) ?? (lang || 'en')
  return new Intl.NumberFormat(locale).format(1.5).includes(',') ? ',' : '.'
}

/** The number with a decimal point; undefined for a text that is ambiguous. Another text is returned as it is. */
export function withPoint(text: string, mark: DecimalMark): string | undefined {
  if (mark === '.') return text
  const hasComma = text.includes(',')
  // Groups of three digits are probably thousands: 1.234 and 1.234,5.
  const isGrouped = /^\s*[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?\s*$/.test(text)
  if (isGrouped || (hasComma && text.includes('.'))) return undefined
  return /^\s*[-+]?\d*,\d+(?:e[-+]?\d+)?\s*$/i.test(text) ? text.replace(',', '.') : text
}

/** A number of the API as people of the language write it. */
export function withMark(text: string, mark: DecimalMark): string {
  return mark === '.' ? text : text.replace('.', ',')
}
