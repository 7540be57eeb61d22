// iCalendar files for tests.

/** A file with these components; lines end as RFC 5545 requires. */
export function calendarFile(...components: readonly string[]): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...components]
  return [...lines, 'END:VCALENDAR', ''].join('\n').replaceAll('\n', '\r\n')
}

export function vevent(...properties: readonly string[]): string {
  return ['BEGIN:VEVENT', ...properties, 'END:VEVENT'].join('\n')
}

/** Outlook's description of a zone: the present rules for all years. */
export function vtimezone(
  name: string,
  offsets: { readonly winter: string; readonly summer: string },
) {
  const { winter, summer } = offsets
  return `BEGIN:VTIMEZONE
TZID:${name}
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:${summer}
TZOFFSETTO:${winter}
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:${winter}
TZOFFSETTO:${summer}
END:DAYLIGHT
END:VTIMEZONE`
}
