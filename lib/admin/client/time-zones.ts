// Time zones by their current names. Browsers list some zones by names that the IANA time zone database has replaced.

/** IANA time zone database, file `backward`. */
const CURRENT: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** The time zone of this browser. */
export const OWN_ZONE = currentName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

export function allZones(): readonly string[] {
  const zones = ['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone').map(currentName)]
  return [...new Set(zones)].toSorted()
}

/** A browser that does not know the current name keeps its own. */
function currentName(zone: string): string {
  const current = CURRENT[zone]
  if (current === undefined) return zone
  try {
    new Intl.DateTimeFormat('en', { timeZone: current })
    return current
  } catch {
    return zone
  }
}
