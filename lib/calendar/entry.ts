// What this folder reads of a calendar and of its entries; the names are those of the wire.

export interface FeedCalendar {
  /** The uuid of the site, which makes identifiers of events unique among all sites. */
  readonly site_id: string
  readonly calendar_id: number
  readonly name: string
  /** One that checkTimeZone accepts. */
  readonly time_zone: string
  readonly description: string | null
}

export interface CalendarEntry {
  readonly calendar_entry_id: number
  readonly event_title: string
  /** RFC 3339 in UTC, like the other times. */
  readonly start_time: string
  /** Not before the start. Null: the event has no length, or is one whole day. */
  readonly end_time: string | null
  readonly all_day: boolean
  readonly location: string | null
  readonly description: string | null
  /** One that checkRrule accepts. */
  readonly rrule: string | null
  readonly date_added: string
  readonly date_modified: string
}

/** The part of an entry that says when it happens. */
export type EntryTimes = Pick<CalendarEntry, 'start_time' | 'end_time' | 'all_day' | 'rrule'>

export type TimedEntry = EntryTimes & Pick<CalendarEntry, 'calendar_entry_id'>

/**
 * The first moment of an event, and the moment that no event begins at or ends after. Readers of calendars know the years
 * 0001 to 9999 (RFC 5545 section 3.3.5, RFC 3339), and in every time zone these moments are in them.
 */
export const FIRST_TIME = '0001-01-02T00:00:00.000Z'
export const END_TIME = '9999-12-31T00:00:00.000Z'
