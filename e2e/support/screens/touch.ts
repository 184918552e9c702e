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
  // A second between the events, so that the finger rests before it leaves and the page does not glide on.
  let seconds = Date.now() / 1000 - 10
  const put = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((dy) => ({ ...at, y: at.y + dy })),
      timestamp: seconds++,
    })
  // Chromium answers before the page has handled the event, and `during` may advance the page's time.
  const down = await place.evaluateHandle(() => ({
    pressed: new Promise((resolve) => addEventListener('pointerdown', resolve, { once: true, capture: true })),
  }))
  await put('touchStart', 0)
  await down.evaluate(({ pressed }) => pressed)
  await during(async (dy) => void (await put('touchMove', dy)))
  await put('touchEnd')
  await session.detach()
}
