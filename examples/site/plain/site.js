// A front end without a framework: it reads the public content of cms-server by fetch, without a key.

const SERVER = 'http://127.0.0.1:8080'
// The addresses that seed.sh prints.
const FILES = `${SERVER}/file/13/`
const PAGES = `${SERVER}/api/v2/module/datatable/1/pages`
const RELEASES = `${SERVER}/api/v2/module/datatable/2/press-releases`
const EVENTS = `${SERVER}/api/v2/module/calendar/1/events`
/** The time zone of the calendar. */
const TIME_ZONE = 'Europe/Berlin'
const DAYS_SHOWN = 35

const SECTIONS = { press: showReleases, calendar: showEvents }

window.addEventListener('hashchange', () => void show())
await show()

async function show() {
  const { hash } = location
  const [links, content] = await viewOf(hash).catch(({ message }) => {
    return [[], [element('p', { role: 'alert' }, `The page cannot be shown: ${message}`)]]
  })
  // The visitor may have chosen another page meanwhile.
  if (hash !== location.hash) return
  document.querySelector('nav').replaceChildren(...links)
  document.querySelector('main').replaceChildren(...content)
  document.title = document.querySelector('h1')?.textContent ?? 'Rosehaven'
}

async function viewOf(hash) {
  const place = decodeURIComponent(hash.slice(1)) || 'index.html'
  const section = Object.hasOwn(SECTIONS, place) ? SECTIONS[place]() : showPage(place)
  return Promise.all([navigation(place), section])
}

async function navigation(place) {
  const { datatable_entry: pages } = await readJson(PAGES, { fields: 'title,file' })
  const items = pages.map(({ title, file }) => [title, file])
  return [...items, ['Press', 'press'], ['Calendar', 'calendar']].map(([title, target]) => {
    const link = element('a', { href: `#${encodeURIComponent(target)}` }, title)
    if (target === place) link.ariaCurrent = 'page'
    return link
  })
}

/** A live file of the public folder. Its pictures and links are relative to the folder. */
async function showPage(file) {
  const response = await fetch(FILES + encodeURIComponent(file))
  if (!response.ok) return [element('h1', {}, 'This page does not exist.')]
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const image of body.querySelectorAll('img[src]'))
    image.src = new URL(image.getAttribute('src'), FILES).href
  for (const link of body.querySelectorAll('a[href]')) {
    const target = link.getAttribute('href')
    if (/^[^/:?#]+\.html$/.test(target)) link.href = `#${target}`
  }
  return body.childNodes
}

async function showReleases() {
  const order = { orderStr: 'published', orderDir: 'DESC', length: 10 }
  const { datatable_entry: releases } = await readJson(RELEASES, order)
  return [element('h1', {}, 'Press releases'), ...releases.map(showRelease)]
}

function showRelease({ title, published, picture, body }) {
  const article = element('article', {}, element('h2', {}, title))
  article.append(element('time', { dateTime: published }, dayOf(published, 'UTC')))
  if (picture) article.append(element('img', { src: FILES + encodeURIComponent(picture), alt: '' }))
  for (const text of (body ?? '').split(/\n{2,}/)) article.append(element('p', {}, text))
  return article
}

/** Each occurrence of the events, from now on. */
async function showEvents() {
  const now = Date.now()
  const { calendar_entry: events } = await readJson(EVENTS, {
    from: new Date(now).toISOString(),
    to: new Date(now + DAYS_SHOWN * 86_400_000).toISOString(),
    expand: true,
  })
  const list = element('ul', {}, ...events.map(showEvent))
  const feed = element('a', { href: `${EVENTS}.ics` }, 'Subscribe to this calendar')
  return [element('h1', {}, 'Calendar'), list, feed]
}

function showEvent({ event_title, start_time, all_day, location: place }) {
  const hour = { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit' }
  const time = all_day ? '' : `, ${new Date(start_time).toLocaleTimeString('en-GB', hour)}`
  const moment = element('time', { dateTime: start_time }, dayOf(start_time, TIME_ZONE) + time)
  return element('li', {}, moment, ` ${event_title}${place ? ` (${place})` : ''}`)
}

function dayOf(time, timeZone) {
  return new Date(time).toLocaleDateString('en-GB', { timeZone, dateStyle: 'full' })
}

async function readJson(address, parameters) {
  const response = await fetch(`${address}?${new URLSearchParams(parameters)}`)
  const body = await response.json()
  if (response.ok) return body
  throw new Error(body.detail ?? body.title)
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}
