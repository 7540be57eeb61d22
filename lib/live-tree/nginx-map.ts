// Lines of the maps that nginx includes.

/** nginx refuses a configuration with a longer parameter. */
const MAX_PARAMETER_BYTES = 4_000

/** In quotes, nginx knows escapes of the quote and of the backslash. Empty if nginx cannot read the line. */
export function mapLine(from: string, to: string): string {
  const [left, right] = [from, to].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`)
  const isReadable = [left, right].every(
    (text = '') => Buffer.byteLength(text) <= MAX_PARAMETER_BYTES,
  )
  return isReadable ? `${left} ${right};\n` : ''
}
