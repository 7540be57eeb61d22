// A timestamp as a date or as a relative time, with the exact time as its tooltip.
//
//   <DateTime date={file.date_modified} />
//   <DateTime date={key.last_used} isRelative />

import { useTexts } from '../texts/use-texts.ts'

export interface DateTimeProps {
  /** RFC 3339, or null. */
  readonly date: string | null
  readonly isRelative?: boolean
}

export function DateTime({ date, isRelative }: DateTimeProps) {
  const { t, formats } = useTexts()
  if (date === null) return <span class="quiet">{t.general.none}</span>
  const moment = new Date(date)
  return (
    <time dateTime={date} title={formats.exactTime(moment)}>
      {isRelative === true ? formats.fromNow(moment, new Date()) : formats.dateTime(moment)}
    </time>
  )
}
