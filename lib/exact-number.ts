// Numbers of JSON that a double does not hold are refused, in bodies (http/json.ts) and in searches
// (schema/qry-text.ts): what was sent would not be what is stored, or searched for.

const INTEGER = /^-?[0-9]+$/
const NUMBER_PARTS = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Whether the double that the text of a JSON number becomes shows the same digits, or is exactly that whole number. */
export function keepsDigits(text: string, value: number): boolean {
  if (digitsOf(text) === digitsOf(String(value))) return true
  return INTEGER.test(text) && BigInt(text) === BigInt(value)
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
