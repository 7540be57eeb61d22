// Which names of time zones are accepted: those of the IANA database, as this Node knows it.

// Newer versions of Node take offsets like +02:00 too, which know no summer.
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/
const MAX_LENGTH = 64

/** Why a name is not a time zone, and what to do; or undefined. */
export function checkTimeZone(name: string): string | undefined {
  const known = name.length <= MAX_LENGTH && NAME.test(name) ? findTimeZone(name) : undefined
  if (known === undefined) return 'must be a name of the IANA database, like Europe/Berlin or UTC'

  // The name stands in feeds, whose readers look it up letter by letter.
  const differsInCase = known !== name && known.toLowerCase() === name.toLowerCase()
  return differsInCase ? `must be written ${known}` : undefined
}

function findTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
