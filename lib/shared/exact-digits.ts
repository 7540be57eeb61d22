// Whether a double keeps the digits of a JSON number.

const NUMBER_PARTS = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Whether a double prints the same digits as the text of the JSON number that it was parsed from. */
export function keepsDigits(text: string, value: number): boolean {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return !isRounded && digitsOf(text) === digitsOf(String(value))
}

/** -01.50e3 and -1500 are both -15e2. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = NUMBER_PARTS.exec(text) ?? []
  const digits = whole + decimals
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start += 1
  while (end > start && digits[end - 1] === '0') end -= 1
  if (start === end) return '0'
  const power = Number(exponent) - decimals.length + digits.length - end
  return `${sign}${digits.slice(start, end)}e${power}`
}
