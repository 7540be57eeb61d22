// A browser that is signed in, for measurements in the administration area.

import type { BrowserContext } from 'playwright-core'

export const CHROME = process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell'
export const PASSWORD = 'a sentence that nobody guesses'

export async function signIn({ request }: BrowserContext, url: string): Promise<void> {
  const data = { name: 'admin', password: PASSWORD }
  const answer = await request.post(`${url}/api/v2/session`, { data })
  if (answer.status() !== 201) throw new Error(`The sign-in answered ${answer.status()}.`)
}
