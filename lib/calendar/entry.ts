// The parts of a calendar and its entries that this folder reads. Field names are those of the API.

export interface FeedCalendar {
  /** The uuid of the site, which makes event identifiers unique across sites. */
  readonly site_id: string
  readonly calendar_id: number
  readonly name: string
  /** A name that checkTimeZone accepts. */
  readonly time_zone: string
  readonly description: string | null
}

export interface CalendarEntry {
  readonly calendar_entry_id: number
  readonly event_title: string
  /** RFC 3339 in UTC, like the other times. */
  readonly start_time: string
  /** Not before the start. Null for an event without length, or of one whole day. */
  readonly end_time: string | null
  readonly all_day: boolean
  readonly location: string | null
  readonly description: string | null
  /** A rule that checkRrule accepts. */
  readonly rrule: string | null
  /** Excluded and further starts of a series: instants, or days as midnights in UTC. */
  readonly exdates: readonly string[]
  readonly rdates: readonly string[]
  /** The entry and the start of the occurrence that this entry replaces. */
  readonly recurrence_of: number | null
  readonly recurrence_id: string | null
  readonly uid: string | null
  readonly date_added: string
  readonly date_modified: string
}

/** The fields of an entry that determine its times. */
export type EntryTimes = Pick<CalendarEntry, 'start_time' | 'end_time' | 'all_day' | 'rrule'> &
  Partial<Record<'exdates' | 'rdates', readonly string[] | null | undefined>> & {
    /** Starts of occurrences that other entries replace. */
    readonly replaced?: readonly string[] | undefined
  }

export type TimedEntry = EntryTimes & Pick<CalendarEntry, 'calendar_entry_id'>

/**
 * Limits of events: no event begins before FIRST_TIME, begins at END_TIME or ends after END_TIME. Calendar readers
 * know the years 0001 to 9999 (RFC 5545 section 3.3.5, RFC 3339); both limits lie in these years in every time zone.
 */
export const FIRST_TIME = '0001-01-02T00:00:00.000Z'
export const END_TIME = '9999-12-31T00:00:00.000Z'
