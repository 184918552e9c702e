interface PageLike {
  documentElement: { dataset: DOMStringMap }
  querySelector(selector: string): Element | null
}

/**
 * The address of the first script of a page, which names its build: it has the hash of all it can load. The landing
 * page, by which a member's reload of '/' comes too, names it in `data-code` (prerenderLanding.ts) and has no element.
 */
export function entryOfPage(page: PageLike, origin: string): string | undefined {
  const [landing] = page.documentElement.dataset.code?.split(' ') ?? []
  const src = landing || page.querySelector('script[type=module][src]')?.getAttribute('src')
  return src ? new URL(src, origin).href : undefined
}
