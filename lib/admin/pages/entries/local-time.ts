// A moment as fields of a browser want it, in the time zone of the reader, and as the server writes it.

/** `2026-01-31T13:00:00.000`; '' where it is no time. */
export function toLocal(moment: string): string {
  const date = new Date(moment)
  if (moment === '' || Number.isNaN(date.getTime())) return ''
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const day = `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
  const time = `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}`
  return `${day}T${time}.${part(date.getMilliseconds(), 3)}`
}

/** Where a clock shows it twice, the first time. */
export function fromLocal(text: string): string {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? text : date.toISOString()
}
