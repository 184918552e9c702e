interface PageLike {
  documentElement: { dataset: DOMStringMap }
  querySelector(selector: string): Element | null
}

/**
 * Returns the address of a page's entry script. Its name contains a hash of everything it can load, so it identifies
 * the build. The landing page, which is also served when a member reloads '/', names it in `data-code`
 * (prerenderLanding.ts) and has no script element.
 */
export function entryOfPage(page: PageLike, origin: string): string | undefined {
  const [landing] = page.documentElement.dataset.code?.split(' ') ?? []
  const src = landing || page.querySelector('script[type=module][src]')?.getAttribute('src')
  return src ? new URL(src, origin).href : undefined
}
