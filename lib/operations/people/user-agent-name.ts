// Names of sessions: the browser and the system, as the browser names them. Only a hint, so there is no complete
// table of browsers.

/** The order matters: many browsers also claim to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Like `Firefox, Windows`. */
export function agentName(userAgent: string): string {
  const names = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)]
  const known = names.filter((name) => name !== undefined)
  return known.length === 0 ? 'Unknown program' : known.join(', ')
}

function find(table: typeof BROWSERS, text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1]
}
