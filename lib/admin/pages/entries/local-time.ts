// Converts between timestamps and the values of browser date fields, in the reader's time zone.

/** `2026-01-31T13:00:00.000`; '' for invalid times. */
export function toLocal(moment: string): string {
  const date = new Date(moment)
  if (moment === '' || Number.isNaN(date.getTime())) return ''
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const day = `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
  const time = `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}`
  return `${day}T${time}.${part(date.getMilliseconds(), 3)}`
}

/** If the clock shows a time twice, the first is meant. */
export function fromLocal(text: string): string {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? text : date.toISOString()
}
