// Shows public entries together with the records to which they refer: one request for each list, and none for each row.

/** The addresses that import.js prints, on a server that was empty before. */
const SITE = new URLSearchParams(location.search).get('site') ?? 'http://127.0.0.1:8080'
const TABLES = `${SITE}/api/v2/module/datatable`
const GLOBALS = `${TABLES}/17/globals`
const MENU = `${TABLES}/19/navigation-items`
const BLOCKS = `${TABLES}/20/page-blocks`
const POSTS = `${TABLES}/22/posts`

/** The columns of a many-to-any relation: at most one of them has a value. */
const ITEMS = ['hero', 'richtext', 'form', 'posts', 'gallery', 'pricing'].map(
  (kind) => `item_block_${kind}`,
)

async function list(url, parameters) {
  const response = await fetch(`${url}?${new URLSearchParams(parameters)}`)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()).datatable_entry
}

function element(name, members, ...children) {
  const made = Object.assign(document.createElement(name), members)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

function postItem({ title, expanded: { author, image } }) {
  const picture =
    image &&
    element('img', { src: SITE + image.url, alt: image.description ?? '', loading: 'lazy' })
  const by = author ? `by ${author.first_name} ${author.last_name}` : 'without an author'
  return element(
    'li',
    {},
    picture ?? undefined,
    element('strong', {}, title),
    ' ',
    element('small', {}, by),
  )
}

function blockItem({ expanded }) {
  const block = ITEMS.map((name) => expanded[name]).find((item) => item !== null)
  const kind = ITEMS.find((name) => expanded[name] !== null)
  const form = block?.expanded?.form
  const text = [block?.headline, form && `with the form “${form.title}”`].filter(Boolean).join(' ')
  return element(
    'li',
    {},
    element('strong', {}, expanded.page?.title ?? ''),
    ` ${kind?.replace('item_block_', '')}: ${text}`,
  )
}

function menuItem({ title, expanded: { page, parent } }) {
  return element(
    'li',
    {},
    parent ? `${parent.title} › ` : '',
    element('strong', {}, title),
    page ? ` (${page.permalink})` : '',
  )
}

const published = JSON.stringify({ status: 'published' })
const [[site], posts, blocks, menu] = await Promise.all([
  list(GLOBALS, { fields: 'title' }),
  list(POSTS, {
    qry: published,
    expand: 'author,image',
    fields: 'title',
    orderStr: 'published_at',
    orderDir: 'DESC',
  }),
  list(BLOCKS, {
    expand: ['page', 'item_block_form.form', ...ITEMS].join(),
    orderStr: 'page.sort',
  }),
  list(MENU, {
    qry: JSON.stringify({ 'navigation.id': 'main' }),
    expand: 'page,parent',
    orderStr: 'sort',
  }),
])
document.querySelector('#title').textContent = site.title
document.querySelector('#posts').append(...posts.map(postItem))
document.querySelector('#blocks').append(...blocks.map(blockItem))
document.querySelector('#menu').append(...menu.map(menuItem))
