// Accepted time zone names: those of the IANA database, as known to the running Node.

// Newer versions of Node also accept offsets like +02:00, which have no daylight saving time.
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/
const MAX_LENGTH = 64

/** Why a name is refused and what to do, or undefined. */
export function checkTimeZone(name: string): string | undefined {
  const known = name.length <= MAX_LENGTH && NAME.test(name) ? findTimeZone(name) : undefined
  if (known === undefined) return 'must be a name in the IANA database, like Europe/Berlin or UTC'

  // Readers of feeds look the name up with case.
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
