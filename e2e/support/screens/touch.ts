import type { BrowserContextOptions, Locator, Page } from '@playwright/test'

/** A phone: touch instead of a mouse, and the narrowest common width. */
export const phone: BrowserContextOptions = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }

/** Touches this element for as long as `during` takes, in the page's own time. */
export async function touch(
  page: Page,
  place: Locator,
  during: (move: (dy: number) => Promise<void>) => Promise<void>,
) {
  const session = await page.context().newCDPSession(page)
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const at = { x: x + width / 2, y: y + height / 2 }
  const put = (type: 'touchStart' | 'touchMove', dy: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ ...at, y: at.y + dy }] })
  await put('touchStart', 0)
  await during(async (dy) => void (await put('touchMove', dy)))
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}
