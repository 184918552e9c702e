import type { Locator, Page } from '@playwright/test'

/** A point outside any dialog: the corner of the page. */
export const beside = [5, 5] as const

async function middleOf(place: Locator): Promise<[x: number, y: number]> {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return [x + width / 2, y + height / 2]
}

/** The second click of a double click, on `place` or outside the dialog. */
export async function clickAgain(page: Page, place?: Locator): Promise<void> {
  const [x, y] = place ? await middleOf(place) : beside
  await page.mouse.move(x, y)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

/** Selects the text of a field by dragging beyond the edge of its dialog. */
export async function markBeyond(page: Page, field: Locator): Promise<void> {
  await page.mouse.move(...(await middleOf(field)))
  await page.mouse.down()
  await page.mouse.move(...beside)
  await page.mouse.up()
}

/** How a button is pressed; `dblclick` simulates a worn mouse whose second click follows at once. */
export type Press = 'click' | 'dblclick'
