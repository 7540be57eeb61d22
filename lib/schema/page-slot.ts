// The shortcodes that the server knows: each makes a slot in the template of a page.

/** The content of a slot. */
export type SlotContent =
  /** [get_asset_file_url id=N] */
  | { readonly kind: 'link'; readonly fileId: number }
  /** [include id=N] */
  | { readonly kind: 'include'; readonly fileId: number }
  /** [menu group=N] */
  | { readonly kind: 'menu'; readonly groupId: number }
  /** [page_content] */
  | { readonly kind: 'content' }
  /** [page_title], or the text of the title element, which the file itself has if it is no layout. */
  | { readonly kind: 'title'; readonly own?: string }
  /** The end of the head. */
  | { readonly kind: 'head' }
  /** The id of the root element, which a page loses inside another page. */
  | { readonly kind: 'root'; readonly text: string }

const VALUE = String.raw`(["']|&quot;|&#39;|)([1-9]\d{0,15})\1\s*/?\]$`
const LINK = new RegExp(String.raw`^\[get_asset_file_url\s+id\s*=\s*${VALUE}`)
const INCLUDE = new RegExp(String.raw`^\[include\s+id\s*=\s*${VALUE}`)
const MENU = new RegExp(String.raw`^\[menu\s+group\s*=\s*${VALUE}`)
const PAGE = /^\[page_(content|title)\s*\/?\]$/

/** Undefined for a shortcode, or an attribute of it, that the server does not know. */
export function slotOf(source: string): SlotContent | undefined {
  const numberIn = (pattern: RegExp): number | undefined => {
    const [, , id] = pattern.exec(source) ?? []
    return id === undefined ? undefined : Number(id)
  }
  const linked = numberIn(LINK)
  if (linked !== undefined) return { kind: 'link', fileId: linked }
  const included = numberIn(INCLUDE)
  if (included !== undefined) return { kind: 'include', fileId: included }
  const groupId = numberIn(MENU)
  if (groupId !== undefined) return { kind: 'menu', groupId }
  const [, name] = PAGE.exec(source) ?? []
  return name === undefined ? undefined : { kind: name === 'title' ? 'title' : 'content' }
}
