// Small values that this browser stores, for good or for one tab. Blocked and full storage are ignored. Also the reader
// of JSON that may be damaged.

export type StoredArea = 'localStorage' | 'sessionStorage'

export function readStored(name: string, area: StoredArea = 'localStorage'): string | undefined {
  try {
    return globalThis[area].getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Without a value, the name is removed. */
export function writeStored(
  name: string,
  value: string | undefined,
  area: StoredArea = 'localStorage',
): void {
  try {
    if (value === undefined) globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, value)
  } catch {
    // Storage is blocked or full.
  }
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
