// Classes of single characters in markup, by character code.

const TAB = 9
const LINE_FEED = 10
const FORM_FEED = 12
const CARRIAGE_RETURN = 13
const SPACE = 32

export function isBlank(code: number): boolean {
  return (
    code === SPACE ||
    code === LINE_FEED ||
    code === CARRIAGE_RETURN ||
    code === TAB ||
    code === FORM_FEED
  )
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
