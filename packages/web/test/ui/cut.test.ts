import { describe, expect, test } from 'vitest'
import { cutArea, cutLine, cutShapes, teethFrom, toPath } from '../../src/ui/cut/Cut.tsx'

const numbers = (path: string) => [...path.matchAll(/-?[\d.]+/g)].map(Number)

/** Paths of the design's drawings, made from these digits. */
const codeLine =
  'M-400 8L56.8 8L55 2.01L69.85 2.01L68.05 8L186.85 8L184.71 2.31L202.34 2.31L200.2 8L257.4 8L255.16 13.59L280.34 13.59L278.1 8L388.1 8L385.66 14.1L407.04 14.1L404.6 8'
const sideLine =
  'M20 -400L20 187.5L35.75 181.46L35.75 231.26L20 225.22L20 337.72L34.76 332.2L34.76 377.74L20 372.22L20 589.72L34.51 583.92L34.51 649.34L20 643.54'

function expectSameLine(path: string, drawn: string) {
  const wanted = numbers(drawn)
  const found = numbers(path).slice(0, wanted.length)
  for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 1)
}

describe('the cut', () => {
  test('draws the line of the design from its digits', () => {
    const teeth = teethFrom('304821190755', cutShapes.code, 640)
    expectSameLine(toPath(cutLine(teeth, cutShapes.code.mid)), codeLine)
  })

  test('turned upright, draws the edge of the sign-in panel', () => {
    const teeth = teethFrom('718204963', cutShapes.authSide, 1600)
    expectSameLine(toPath(cutLine(teeth, cutShapes.authSide.mid), true), sideLine)
  })

  test('every single digit changes the line', () => {
    const digits = '304821190755310041877362905144'
    const line = (text: string) => toPath(cutLine(teethFrom(text, cutShapes.safety, 100_000), 11))
    for (let i = 0; i < digits.length; i += 1) {
      const other = `${digits.slice(0, i)}${(Number(digits[i]) + 1) % 10}${digits.slice(i + 1)}`
      expect(line(other)).not.toBe(line(digits))
    }
  })

  test('both halves share one line and close at opposite edges', () => {
    const teeth = teethFrom('718204', cutShapes.safety, 1600)
    const line = toPath(cutLine(teeth, 8))
    const above = cutArea(teeth, 8, 0)
    const below = cutArea(teeth, 8, 18)
    expect(above.startsWith(line)).toBe(true)
    expect(below.startsWith(line)).toBe(true)
    expect(numbers(above).at(-1)).toBe(0)
    expect(numbers(below).at(-1)).toBe(18)
  })

  test('stops drawing teeth beyond its length', () => {
    const digits = '718204963350182746590138842067'
    expect(teethFrom(digits, cutShapes.safety, 400).length).toBeLessThan(
      teethFrom(digits, cutShapes.safety, 1600).length,
    )
  })
})
