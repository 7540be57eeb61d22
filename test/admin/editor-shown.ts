// The text editor as states for screenshots and accessibility checks, with the data of demo-content.ts.

import type { Page } from 'playwright-core'
import type { Shown } from './area.ts'

/** Opens the file from the list, because its identifier is not known in advance. */
async function openEditor(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: `Text of ${name}` }).waitFor()
}

function shown(name: string, act: (page: Page) => Promise<unknown>): Shown {
  const path = `/content?everywhere=1&q=${encodeURIComponent(name)}`
  return {
    path,
    isSignedIn: true,
    heading: 'Main',
    async act(page) {
      await openEditor(page, name)
      await act(page)
    },
  }
}

/** Types at the end of the text. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
}

/** A save outside of this page, which leads to a merge or a conflict. */
async function saveElsewhere(page: Page, pageContent: string): Promise<void> {
  const { request } = page.context()
  const origin = new URL(page.url()).origin
  const id = /file\/(\d+)/.exec(page.url())?.[1] ?? ''
  const answer = await request.post(`${origin}/api/v2/session/renew`)
  const headers = { authorization: `Bearer ${(await answer.json()).secret}` }
  const url = `${origin}/api/v2/asset_file/${id}`
  await request.patch(url, { headers, data: { pageContent } })
}

export const EDITOR_SHOWN: Readonly<Record<string, Shown>> = {
  editor: shown('index.html', async (page) => {
    const frame = page.frameLocator('.preview-frame')
    if ((page.viewportSize()?.width ?? 0) > 1_000) await frame.getByRole('heading').waitFor()
  }),
  'editor-search': shown('site.css', async (page) => {
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('font')
  }),
  'editor-faults': shown('welcome.stml', async (page) => {
    await type(page, '<p>Outside</p>')
    await page.locator('.fault').waitFor()
  }),
  'editor-draft': shown('draft ideas.md', async (page) => {
    await type(page, '\n- a garden of sounds\n')
    await page.getByText('Draft kept').waitFor()
    await page.reload()
    await page.getByText(/^Draft from/).waitFor()
  }),
  'editor-markdown': shown('programme.md', async (page) => {
    if ((page.viewportSize()?.width ?? 0) < 1_000)
      await page.getByRole('button', { name: 'Preview' }).click()
    const frame = page.frameLocator('.preview-frame')
    await frame.getByRole('heading', { name: 'Programme in spring' }).waitFor()
  }),
  'editor-insert-image': shown('about.html', async (page) => {
    await page.getByRole('button', { name: 'Insert image' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Recent' }).waitFor()
    await page.getByRole('dialog').getByRole('navigation').getByText('Main').waitFor()
  }),
  'editor-insert-described': shown('about.html', async (page) => {
    await page.getByRole('button', { name: 'Insert image' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill('.')
    await dialog.locator('.picked-file button').first().click()
    await dialog.getByLabel('Alternative text').waitFor()
  }),
  'editor-compare': shown('about.html', async (page) => {
    await type(page, '<!-- more of it -->\n')
    await page.getByRole('button', { name: 'More save options' }).click()
    await page.getByRole('menuitem', { name: 'Show differences' }).click()
    await page.getByRole('dialog').locator('.cm-insertedLine, .cm-changedLine').first().waitFor()
  }),
  'editor-conflict': shown('contact.html', async (page) => {
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('<h1>How to find us</h1>')
    await saveElsewhere(page, `<h1>Write to us, since ${Date.now()}</h1>\n`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('You and somebody else changed the same lines').waitFor()
    await page.getByRole('button', { name: 'Theirs', exact: true }).waitFor()
  }),
}
