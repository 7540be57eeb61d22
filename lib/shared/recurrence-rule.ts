// The parts of a recurrence rule (RFC 5545 section 3.3.10) that check-rule.ts accepts.

/** The parts of a rule by name, both in upper case. */
export type RuleParts = ReadonlyMap<string, string>

export const WEEKDAYS: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

export const TIME_PARTS: readonly string[] = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/**
 * Expects a rule that checkRrule accepts. Removes plus signs, which mean nothing and which some readers do not know.
 * Second 60 becomes 59, as RFC 5545 section 3.3.12 requires of clocks without leap seconds.
 */
export function parseRule(text: string): RuleParts {
  const parts = text.toUpperCase().replaceAll('+', '').split(';')
  const named = parts.map((part) => [nameOf(part), part.slice(nameOf(part).length + 1)] as const)
  return new Map(
    named.map(([name, value]) => [
      name,
      name === 'BYSECOND' ? value.replace(/\b60\b/g, '59') : value,
    ]),
  )
}

export function buildRule(parts: RuleParts): string {
  return [...parts].map(([name, value]) => `${name}=${value}`).join(';')
}

/** A date gives its midnight, as if in UTC. Undefined if the text is not a valid date or time, like 30 February. */
export function parseUntil(value: string): number | undefined {
  const [, date = '', time = 'T000000Z'] = /^(\d{8})(T\d{6}Z)?$/.exec(value) ?? []
  const iso = `${date}${time}`.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5.000Z')
  const ms = Date.parse(iso)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === iso ? ms : undefined
}

export function withPart(parts: RuleParts, name: string, value: string): RuleParts {
  return new Map([...parts, [name, value]])
}

/** Whether the rule has parts from which BYSETPOS can choose. */
export function hasSet(parts: RuleParts): boolean {
  return [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS')
}

export function nameOf(part: string): string {
  return part.split('=', 1)[0] ?? part
}
