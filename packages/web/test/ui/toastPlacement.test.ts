import { expect, test } from 'vitest'
import { type Box, freeTop, rightBeside } from '../../src/ui/toast/useToastPlacement.ts'

const box = (top: number, height: number, left = 0, width = 100): Box => ({
  left,
  right: left + width,
  top,
  bottom: top + height,
})

test('a toast that covers nothing stays where it is', () => {
  expect(freeTop(box(60, 80), 740, { groups: [[box(0, 56), box(200, 40)]] })).toBe(60)
})

test('a toast moves to the nearest height at which it covers nothing', () => {
  expect(freeTop(box(60, 80), 740, { groups: [[box(50, 200), box(300, 30)]] })).toBe(338)
})

test('what lies beside a toast is no reason to move', () => {
  expect(freeTop(box(60, 80, 300), 740, { groups: [[box(50, 200, 0, 200)]] })).toBe(60)
})

test('a form is covered before a heading is', () => {
  expect(freeTop(box(60, 80), 300, { groups: [[box(50, 60)], [box(110, 190)]] })).toBe(118)
})

test('a toast never leaves the window', () => {
  expect(freeTop(box(60, 80), 200, { groups: [[box(0, 200)]] })).toBe(60)
})

test('a toast moves below the rows of a short list', () => {
  expect(freeTop(box(60, 80), 740, { groups: [[box(0, 300)]], rows: [box(308, 64), box(372, 64)] })).toBe(444)
})

test('a toast over a long list covers its lowest rows, not a form and not the first row', () => {
  const rows = Array.from({ length: 8 }, (_, index) => box(308 + index * 64, 64))
  expect(freeTop(box(60, 80), 740, { groups: [[box(0, 100)], [box(100, 200)]], rows })).toBe(652)
})

test('a toast that a menu would hide in a low window goes beside the menu', () => {
  expect(rightBeside(box(70, 90, 368, 392), [box(56, 292, 539, 220)])).toBe(531)
})

test('a toast stays below a menu’s height where there is no room beside the menu', () => {
  expect(rightBeside(box(70, 90, 12, 336), [box(56, 440, 127, 220)])).toBeUndefined()
})

test('a menu that hides nothing of a toast does not move it', () => {
  expect(rightBeside(box(504, 90, 368, 392), [box(56, 440, 539, 220)])).toBeUndefined()
})
