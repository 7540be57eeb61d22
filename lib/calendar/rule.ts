// The parts of a recurrence rule (RFC 5545 section 3.3.10), of one that check-rule.ts accepts.

/** The parts of a rule by their names, both in capitals. */
export type RuleParts = ReadonlyMap<string, string>

export const TIME_PARTS: readonly string[] = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/**
 * Of a rule that checkRrule accepts. The plus signs say nothing, and not every reader knows them; the second
 * 60 is read as 59, as RFC 5545 section 3.3.12 has it for clocks that do not know it.
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

/** Of a date its midnight, as if in UTC. Undefined for what is no date or time, like 30 February. */
export function parseUntil(value: string): number | undefined {
  const [, date = '', time = 'T000000Z'] = /^(\d{8})(T\d{6}Z)?$/.exec(value) ?? []
  const iso = `${date}${time}`.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5.000Z')
  const ms = Date.parse(iso)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === iso ? ms : undefined
}

export function withPart(parts: RuleParts, name: string, value: string): RuleParts {
  return new Map([...parts, [name, value]])
}

/** Whether there is something that BYSETPOS can choose from. */
export function hasSet(parts: RuleParts): boolean {
  return [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS')
}

export function nameOf(part: string): string {
  return part.split('=', 1)[0] ?? part
}
